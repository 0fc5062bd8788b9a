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
// comma-separated list: BA_TOOLS=bench,fuzz.
let tools: [String: [Target]] = [
  "bench": [
    .executableTarget(
      name: "codec-benchmark", dependencies: ["BAPackCore", "CZlib", "LZFSE"],
      path: "Tests/Benchmarks/Codec", swiftSettings: settings),
    .executableTarget(
      name: "limit-benchmark", dependencies: ["Archive", "LZFSE"],
      path: "Tests/Benchmarks/Limit", swiftSettings: settings),
  ],
  "fuzz": [
    .executableTarget(
      name: "fuzz", dependencies: ["BAPackCore", "Importers", "LZFSE"],
      path: "Tests/Fuzz",
      swiftSettings: settings)
  ],
  "upload": [
    .systemLibrary(
      name: "CCurl", pkgConfig: "libcurl",
      providers: [.apt(["libcurl4-gnutls-dev"]), .brew(["curl"])]),
    .target(
      name: "AppStoreConnect",
      dependencies: [
        "BAPackCore", "CCurl", .target(name: "CGnuTLS", condition: .when(platforms: [.linux])),
      ],
      swiftSettings: settings),
    .executableTarget(
      name: "ba-upload", dependencies: ["AppStoreConnect", "BAPackCore", "CommandLine"],
      swiftSettings: settings, linkerSettings: linking),
    .testTarget(
      name: "AppStoreConnectTests", dependencies: ["AppStoreConnect", "BAPackCore"],
      swiftSettings: testSettings),
  ],
  "serve": [
    .systemLibrary(
      name: "CMicroHTTPD", pkgConfig: "libmicrohttpd",
      providers: [.apt(["libmicrohttpd-dev"]), .brew(["libmicrohttpd"])]),
    .systemLibrary(
      name: "CQREncode", pkgConfig: "libqrencode",
      providers: [.apt(["libqrencode-dev"]), .brew(["qrencode"])]),
    .target(
      name: "AssetPackServer", dependencies: ["BAPackCore", "CGnuTLS", "CMicroHTTPD"],
      swiftSettings: settings),
    .executableTarget(
      name: "ba-serve",
      dependencies: ["AssetPackServer", "BAPackCore", "CommandLine", "CQREncode"],
      swiftSettings: settings, linkerSettings: linking),
    .testTarget(
      name: "AssetPackServerTests", dependencies: ["AssetPackServer", "BAPackCore"],
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
let testsOnWindows = ["FilesTests", "LZFSETests", "ArchiveTests"]

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
      name: "CGnuTLS", pkgConfig: "gnutls",
      providers: [.apt(["libgnutls28-dev"]), .brew(["gnutls"])])
  ] : []

let package = Package(
  name: "ba-package",
  platforms: [.macOS(.v15)],
  products: [
    .executable(name: "ba-package", targets: ["ba-package"]),
    .plugin(name: "BAPackagePlugin", targets: ["BAPackagePlugin"]),
    .library(name: "LZFSE", targets: ["LZFSE"]),
    .library(name: "BAPackCore", targets: ["BAPackCore"]),
  ].filter { !isOnWindows || $0.name != "BAPackagePlugin" },
  targets: ([
    .systemLibrary(
      name: "CZlib", pkgConfig: zlib, providers: [.apt(["zlib1g-dev"]), .brew(["zlib"])]),
    .systemLibrary(name: "CLinux"),
    .systemLibrary(name: "CWindows"),
    .systemLibrary(name: "CProcessor"),
    .target(name: "LZFSE", swiftSettings: settings),
    .target(
      name: "Files",
      dependencies: [
        "CProcessor", .target(name: "CLinux", condition: .when(platforms: [.linux])),
        .target(name: "CWindows", condition: .when(platforms: [.windows])),
      ],
      exclude: other("System/POSIX", "System/POSIX+Folders", "System/POSIX+Process"),
      swiftSettings: settings),
    .target(name: "Diagnostics", dependencies: ["Files"], swiftSettings: settings),
    .target(name: "Archive", dependencies: ["CZlib", "Files", "LZFSE"], swiftSettings: settings),
    .target(
      name: "BAPackCore", dependencies: ["Archive", "CZlib", "Diagnostics", "Files", "LZFSE"],
      exclude: ["Manifest/language-tables.py"], swiftSettings: settings),
    .target(
      name: "Reports", dependencies: ["BAPackCore"],
      resources: ["tables.js", "treemap.js", "style.css"].map { .embedInCode("Page/" + $0) },
      swiftSettings: settings),
    .target(name: "Importers", dependencies: ["BAPackCore"], swiftSettings: settings),
    .target(
      name: "CommandLine", dependencies: ["Archive", "Diagnostics", "Files"],
      swiftSettings: settings),
    .executableTarget(
      name: "ba-package",
      dependencies: ["BAPackCore", "CommandLine", "Importers", "Reports"],
      swiftSettings: settings, linkerSettings: linking),
    .plugin(
      name: "BAPackagePlugin",
      capability: .command(
        intent: .custom(verb: "ba-package", description: "Make and check asset packs.")),
      dependencies: ["ba-package"], path: "Sources/BAPackagePlugin"),
    .target(
      name: "TestSupport", dependencies: ["Archive", "Diagnostics", "Files"],
      path: "Tests/TestSupport", exclude: other("POSIX"), swiftSettings: settings),
    .testTarget(
      name: "FilesTests", dependencies: ["Files", "TestSupport"],
      exclude: other("System/POSIXTests"), swiftSettings: testSettings),
    .testTarget(
      name: "DiagnosticsTests", dependencies: ["Diagnostics", "TestSupport"],
      swiftSettings: testSettings),
    .testTarget(
      name: "ArchiveTests", dependencies: ["Archive", "LZFSE", "TestSupport"],
      exclude: other("Reading/PipeTests"), swiftSettings: testSettings),
    .testTarget(
      name: "LZFSETests", dependencies: ["LZFSE", "TestSupport"], swiftSettings: testSettings),
    .testTarget(
      name: "BAPackCoreTests",
      dependencies: ["BAPackCore", "LZFSE", "CZlib", "Reports", "TestSupport"],
      exclude: ["api.txt"], swiftSettings: testSettings),
    .testTarget(
      name: "ReportsTests", dependencies: ["BAPackCore", "Reports", "TestSupport"],
      swiftSettings: testSettings),
    .testTarget(
      name: "ImportersTests", dependencies: ["BAPackCore", "Importers", "TestSupport"],
      swiftSettings: testSettings),
    .testTarget(
      name: "CommandLineTests",
      dependencies: [
        "ba-package", "BAPackCore", "CommandLine", "Importers", "TestSupport",
      ],
      exclude: [
        "Recorded", "Support/complete.bash", "Support/complete.fish", "Support/complete.zsh",
        "Support/terminal.py",
      ],
      swiftSettings: testSettings),
  ] + shared + wanted.sorted().flatMap { tools[$0] ?? [] }).filter { target in
    !isOnWindows
      || target.type != .plugin
        && (target.type != .test || testsOnWindows.contains(target.name))
  }
)
