// swift-tools-version: 6.2
import PackageDescription

let settings: [SwiftSetting] = [.strictMemorySafety(), .swiftLanguageMode(.v6)]

let package = Package(
  name: "ba-package",
  platforms: [.macOS(.v15)],
  products: [
    .executable(name: "ba-package", targets: ["ba-package"]),
    .library(name: "BAPackCore", targets: ["BAPackCore"]),
  ],
  targets: [
    .systemLibrary(
      name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"]), .brew(["zlib"])]),
    .target(name: "BAPackCore", dependencies: ["CZlib"], swiftSettings: settings),
    .executableTarget(name: "ba-package", dependencies: ["BAPackCore"], swiftSettings: settings),
    .executableTarget(
      name: "codec-benchmark", dependencies: ["BAPackCore", "CZlib"],
      path: "Tests/Benchmarks/Codec", swiftSettings: settings),
    .executableTarget(
      name: "limit-benchmark", dependencies: ["BAPackCore"], path: "Tests/Benchmarks/Limit",
      swiftSettings: settings),
    .executableTarget(
      name: "fuzz", dependencies: ["BAPackCore"], path: "Tests/Fuzz",
      swiftSettings: settings),
    .testTarget(
      name: "BAPackCoreTests", dependencies: ["BAPackCore", "CZlib"], swiftSettings: settings),
    .testTarget(
      name: "CommandLineTests", dependencies: ["ba-package"],
      exclude: [
        "Recorded", "Support/complete.bash", "Support/complete.fish", "Support/complete.zsh",
        "Support/terminal.py",
      ],
      swiftSettings: settings),
  ]
)
