// swift-tools-version: 6.2
import PackageDescription

let settings: [SwiftSetting] = [.strictMemorySafety(), .swiftLanguageMode(.v6)]
// Code of tests runs once: to optimize it takes 2.6 times as long as to compile it.
let testSettings = settings + [.unsafeFlags(["-Onone"], .when(configuration: .release))]
// Only the linker is told that a program is static, so that tests use the same compiled modules:
// BA_STATIC=executable contains the C library too, BA_STATIC=stdlib only Swift's. lld, which is part
// of Swift, doesn't warn of the runtime's unused 'dlopen'.
let linking: [LinkerSetting] = (Context.environment["BA_STATIC"].map { ["-static-" + $0] } ?? [])
  .map { .unsafeFlags([$0, "-use-ld=lld", "-Xlinker", "-s"]) }

// A plain `swift build` only requires zlib. BA_TOOLS adds the targets of the tools in a
// comma-separated list: BA_TOOLS=bench,fuzz. It leaves out the plug-in, for which SwiftPM compiles
// everything that ba-package needs a second time.
let tools: [String: [Target]] = [
  "bench": [
    .executableTarget(
      name: "codec-benchmark", dependencies: ["BAPackCore", "CBAZlib", "BALZFSE"],
      path: "Tests/Benchmarks/Codec", swiftSettings: settings),
    .executableTarget(
      name: "limit-benchmark", dependencies: ["BAArchive", "BALZFSE"],
      path: "Tests/Benchmarks/Limit", swiftSettings: settings),
  ],
  "fuzz": [
    .executableTarget(
      name: "fuzz", dependencies: ["BAApps", "BAPackCore", "BAImporters", "BALZFSE"],
      path: "Tests/Fuzz",
      swiftSettings: settings)
  ],
  "upload": [
    .systemLibrary(
      name: "CBACurl", pkgConfig: "libcurl",
      providers: [.apt(["libcurl4-gnutls-dev"]), .brew(["curl"])]),
    .target(
      name: "BAUpload",
      dependencies: [
        "BAPackCore", "CBACurl", .target(name: "CBAGnuTLS", condition: .when(platforms: [.linux])),
        .target(name: "CBALinux", condition: .when(platforms: [.linux])),
      ],
      swiftSettings: settings),
    .executableTarget(
      name: "ba-upload", dependencies: ["BAUpload", "BAPackCore", "BACommandLine"],
      swiftSettings: settings, linkerSettings: linking),
    .testTarget(
      name: "BAUploadTests", dependencies: ["BAUpload", "BAPackCore"],
      swiftSettings: testSettings),
  ],
  "serve": [
    .systemLibrary(
      name: "CBAMicroHTTPD", pkgConfig: "libmicrohttpd",
      providers: [.apt(["libmicrohttpd-dev"]), .brew(["libmicrohttpd"])]),
    .systemLibrary(
      name: "CBAQREncode", pkgConfig: "libqrencode",
      providers: [.apt(["libqrencode-dev"]), .brew(["qrencode"])]),
    .target(
      name: "BAServer", dependencies: ["BAPackCore", "CBAGnuTLS", "CBAMicroHTTPD"],
      resources: ["Certificates/authority.mobileconfig", "Setup/setup.html"].map {
        .embedInCode($0)
      }, swiftSettings: settings),
    .executableTarget(
      name: "ba-serve",
      dependencies: ["BAServer", "BAPackCore", "BACommandLine", "CBAQREncode"],
      swiftSettings: settings, linkerSettings: linking),
    .testTarget(
      name: "BAServerTests", dependencies: ["BAServer", "BAPackCore"],
      swiftSettings: testSettings),
  ],
]
let wanted = Set((Context.environment["BA_TOOLS"] ?? "").split(separator: ",").map(String.init))
if let unknown = wanted.subtracting(tools.keys).min() {
  fatalError("BA_TOOLS: no tool is named '\(unknown)'; there are \(tools.keys.sorted())")
}

// pkg-config knows nothing of the one in Apple's SDK, and on Windows of that of other compilers.
#if os(Linux)
  let zlib: String? = "zlib"
#else
  let zlib: String? = nil
#endif

// On Windows, only the tests of the lower modules are built, and the plug-in is left out: it replaces
// its process with the program, by 'exec'.
#if os(Windows)
  let isOnWindows = true
#else
  let isOnWindows = false
#endif
let hasPlugin = !isOnWindows && Context.environment["BA_TOOLS"] == nil
let testsOnWindows = ["BAFilesTests", "BALZFSETests", "BAArchiveTests"]

/// The files of a target that are for other systems than Windows.
func other(_ names: String...) -> [String] {
  isOnWindows ? names.map { $0 + ".swift" } : []
}

// Targets shared by several tools.
let needsGnuTLS = !wanted.isDisjoint(with: ["serve", "upload"])
let shared: [Target] =
  needsGnuTLS
  ? [
    .systemLibrary(
      name: "CBAGnuTLS", pkgConfig: "gnutls",
      providers: [.apt(["libgnutls28-dev"]), .brew(["gnutls"])])
  ] : []

let package = Package(
  name: "ba-package",
  platforms: [.macOS(.v15)],
  products: [
    .executable(name: "ba-package", targets: ["ba-package"]),
    .plugin(name: "BAPackagePlugin", targets: ["BAPackagePlugin"]),
    .library(name: "LZFSE", targets: ["BALZFSE"]),
    .library(name: "BAPackCore", targets: ["BAPackCore"]),
  ].filter { hasPlugin || $0.name != "BAPackagePlugin" },
  targets: ([
    .systemLibrary(
      name: "CBAZlib", pkgConfig: zlib, providers: [.apt(["zlib1g-dev"]), .brew(["zlib"])]),
    .systemLibrary(name: "CBALinux"),
    .systemLibrary(name: "CBAWindows"),
    .systemLibrary(name: "CBAProcessor"),
    .target(name: "BALZFSE", swiftSettings: settings),
    .target(
      name: "BAFiles",
      dependencies: [
        "CBAProcessor", .target(name: "CBALinux", condition: .when(platforms: [.linux])),
        .target(name: "CBAWindows", condition: .when(platforms: [.windows])),
      ],
      exclude: other("System/POSIX", "System/POSIX+Folders", "System/POSIX+Process"),
      swiftSettings: settings),
    .target(
      name: "BADiagnostics", dependencies: ["BAFiles"],
      resources: [.embedInCode("../BAPackCore/BAPackCore.docc/Rules.md")], swiftSettings: settings),
    .target(
      name: "BAArchive", dependencies: ["CBAZlib", "BAFiles", "BALZFSE"], swiftSettings: settings),
    .target(
      name: "BAPackCore",
      dependencies: ["BAArchive", "CBAZlib", "BADiagnostics", "BAFiles", "BALZFSE"],
      exclude: ["Manifest/language-tables.py"],
      resources: [
        "Manifest/language-registry.txt", "Manifest/language-tables.txt",
        "Manifest/manifest-template.json", "Project/project-template.json",
      ].map { .embedInCode($0) }, swiftSettings: settings),
    .target(
      name: "BAReports", dependencies: ["BAPackCore"],
      resources: ["tables.js", "treemap.js", "style.css"].map { .embedInCode("Page/" + $0) },
      swiftSettings: settings),
    .target(
      name: "BAApps", dependencies: ["BAPackCore"],
      resources: [
        "extension.entitlements", "extension.plist", "extension.txt", "steps.txt", "xcodegen.yml",
      ].map { .embedInCode("Extension/" + $0) }, swiftSettings: settings),
    .target(name: "BAImporters", dependencies: ["BAApps", "BAPackCore"], swiftSettings: settings),
    .target(
      name: "BACommandLine", dependencies: ["BAArchive", "BADiagnostics", "BAFiles"],
      resources: ["bash", "fish", "zsh"].map { .embedInCode("Generators/completion." + $0) },
      swiftSettings: settings),
    .executableTarget(
      name: "ba-package",
      dependencies: ["BAApps", "BAPackCore", "BACommandLine", "BAImporters", "BAReports"],
      swiftSettings: settings, linkerSettings: linking),
    .plugin(
      name: "BAPackagePlugin",
      capability: .command(
        intent: .custom(verb: "ba-package", description: "Make and check asset packs.")),
      dependencies: ["ba-package"], path: "Sources/BAPackagePlugin"),
    .target(
      name: "BATestSupport", dependencies: ["BAArchive", "BADiagnostics", "BAFiles"],
      path: "Tests/BATestSupport", exclude: other("POSIX"), swiftSettings: settings),
    .testTarget(
      name: "BAFilesTests", dependencies: ["BAFiles", "BATestSupport"],
      exclude: other("System/POSIXTests"), swiftSettings: testSettings),
    .testTarget(
      name: "BADiagnosticsTests", dependencies: ["BADiagnostics", "BATestSupport"],
      swiftSettings: testSettings),
    .testTarget(
      name: "BAArchiveTests", dependencies: ["BAArchive", "BALZFSE", "BATestSupport"],
      exclude: other("Reading/PipeTests"), swiftSettings: testSettings),
    .testTarget(
      name: "BALZFSETests", dependencies: ["BALZFSE", "BATestSupport"], swiftSettings: testSettings),
    .testTarget(
      name: "BAPackCoreTests",
      dependencies: ["BAPackCore", "BALZFSE", "CBAZlib", "BAReports", "BATestSupport"],
      exclude: ["api.txt"], swiftSettings: testSettings),
    .testTarget(
      name: "ClientTests", dependencies: ["BAPackCore", "BALZFSE"], path: "Tests/Client",
      exclude: ["Program"], packageAccess: false, swiftSettings: testSettings),
    .executableTarget(
      name: "small-package", dependencies: ["BAPackCore"], path: "Tests/Client/Program",
      packageAccess: false, swiftSettings: settings),
    .testTarget(
      name: "BAReportsTests", dependencies: ["BAPackCore", "BAReports", "BATestSupport"],
      swiftSettings: testSettings),
    .testTarget(
      name: "BAAppsTests", dependencies: ["BAApps", "BAPackCore", "BATestSupport"],
      swiftSettings: testSettings),
    .testTarget(
      name: "BAImportersTests", dependencies: ["BAPackCore", "BAImporters", "BATestSupport"],
      swiftSettings: testSettings),
    .testTarget(
      name: "BACommandLineTests",
      dependencies: [
        "ba-package", "small-package", "BAPackCore", "BACommandLine", "BAImporters",
        "BATestSupport",
      ],
      exclude: [
        "Recorded", "Support/complete.bash", "Support/complete.fish", "Support/complete.zsh",
        "Support/terminal.py",
      ],
      swiftSettings: testSettings),
  ] + shared + wanted.sorted().flatMap { tools[$0] ?? [] }).filter { target in
    (hasPlugin || target.type != .plugin)
      && (!isOnWindows || target.type != .test || testsOnWindows.contains(target.name))
  }
)
