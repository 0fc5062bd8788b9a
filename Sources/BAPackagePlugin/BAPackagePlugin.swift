import PackagePlugin

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// `swift package ba-package …` runs the program, which takes the place of the plug-in's process.
@main struct BAPackagePlugin: CommandPlugin {
  func performCommand(context: PluginContext, arguments: [String]) throws {
    let program = try context.tool(named: "ba-package").url.path
    let words = ([program] + arguments).map { strdup($0) } + [nil]
    execv(program, words)
    Diagnostics.error("can't run '\(program)': \(String(cString: strerror(errno)))")
  }
}
