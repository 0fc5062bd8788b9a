// The app's side: asking for packs, following, cancelling and removing them, and reading their files. For
// version 26 of iOS, iPadOS, macOS, tvOS and visionOS and later; with SDK 27, for 27's manifest and languages.

import BackgroundAssets
import Foundation
import System

/// What the app asks for has names from AssetPacks.swift, so that a wrong one doesn't compile.
@available(iOS 26, macOS 26, tvOS 26, visionOS 26, *)
func loadHarbour(progress: @escaping @Sendable (Double) -> Void) async throws -> Data {
  // Essential packs may be absent, too: people can switch off in-app content, and downloads can fail.
  try await Packs.load(AssetPacks.`lantern-keeper-harbour`, progress: progress)
  return try Packs.contents(AssetPackPaths.`lantern-keeper-harbour`.`Levels/order.txt`)
}

@available(iOS 26, macOS 26, tvOS 26, visionOS 26, *)
enum Packs {
  struct Unknown: Error {
    let identifier: String
  }

  /// The pack with an identifier, from the list of packs that can be loaded.
  static func pack(_ identifier: String) async throws -> AssetPack {
    guard #available(iOS 27, macOS 27, tvOS 27, visionOS 27, *) else {
      return try await AssetPackManager.shared.assetPack(withID: identifier)
    }
    guard let pack = try await AssetPackManager.shared.manifest.assetPack(withID: identifier) else {
      throw Unknown(identifier: identifier)
    }
    return pack
  }

  /// Downloads a pack, if it isn't on the device yet; also one that was removed.
  ///
  /// `progress` gets parts from 0 to 1. If this returns, the pack is there; if it throws, it may not
  /// be, and another try continues what was downloaded.
  static func load(
    _ identifier: String, progress: @escaping @Sendable (Double) -> Void
  ) async throws {
    let manager = AssetPackManager.shared
    let pack = try await Self.pack(identifier)
    // Updates are for show only: what counts is whether the call below returns.
    let watching = Task {
      for await update in manager.statusUpdates(forAssetPackWithID: identifier) {
        switch update {
        case .downloading(_, let part): progress(part.fractionCompleted)
        case .finished: progress(1)
        default: break
        }
      }
    }
    defer { watching.cancel() }
    try await manager.ensureLocalAvailability(of: pack)
  }

  /// Cancels the download of a pack: whoever waits in `load` gets an error.
  static func cancel(_ identifier: String) async {
    for await update in AssetPackManager.shared.statusUpdates(forAssetPackWithID: identifier) {
      switch update {
      case .downloading(_, let part): part.cancel()
      case .finished, .failed: return
      default: break
      }
    }
  }

  /// Frees the space of a pack, which the system never does by itself.
  static func remove(_ identifier: String) async throws {
    try await AssetPackManager.shared.remove(assetPackWithID: identifier)
  }

  /// The contents of a file, by the path that `ba-package evaluate` lists. All packs on the device are
  /// seen as one folder, unless one of them is named.
  static func contents(_ path: String, in identifier: String? = nil) throws -> Data {
    try AssetPackManager.shared.contents(
      at: FilePath(path), searchingInAssetPackWithID: identifier)
  }

  /// An open file, for reading parts of it. It is closed when `body` ends.
  static func read<Result>(
    _ path: String, _ body: (FileDescriptor) throws -> Result
  ) throws -> Result {
    let file = try AssetPackManager.shared.descriptor(for: FilePath(path))
    return try file.closeAfter { try body(file) }
  }

  /// Where a file is, for engines that open or mount files themselves: a Godot `.pck`, an Unreal
  /// `.pak`, a Unity bundle. It can be another place after an update, so ask again at each start.
  static func url(_ path: String) throws -> URL {
    try AssetPackManager.shared.url(for: FilePath(path))
  }
}

// MARK: Localized packs

@available(iOS 27, macOS 27, tvOS 27, visionOS 27, *)
extension Packs {
  /// A file in the language whose packs the system loads. Only packs of an equal language are searched,
  /// so this is not the player's locale.
  static func localized(_ path: String) throws -> Data {
    guard let language = AssetPackManager.shared.resolvedLanguage else {
      return try contents(path)
    }
    return try AssetPackManager.shared.contents(at: FilePath(path), asLocalizedFor: language)
  }

  /// Changes the language from a menu of the app; `nil` is the system's. Packs that are missing are
  /// loaded, and others removed, but not those that the app requested itself. Not for the extension.
  static func setLanguage(_ language: Locale.Language?) async throws {
    AssetPackManager.shared.resolvedLanguage = language
    try await AssetPackManager.shared.reconcilePreferredLanguages()
  }
}
