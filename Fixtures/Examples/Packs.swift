// The app's side: asking for a pack, following its download, and reading its files. For version 26 of
// iOS, iPadOS, macOS, tvOS and visionOS.

import BackgroundAssets
import Foundation
import System

/// What the app asks for has names from AssetPacks.swift, so that a wrong one doesn't compile.
func loadHarbour(progress: @escaping @Sendable (Double) -> Void) async throws -> Data {
  try await Packs.load(AssetPacks.`lantern-keeper-harbour`, progress: progress)
  return try Packs.contents(AssetPackPaths.`lantern-keeper-harbour`.`Levels/order.txt`)
}

enum Packs {
  /// Downloads a pack, if it isn't on the device yet.
  ///
  /// `progress` gets parts from 0 to 1. If this returns, the pack is there; if it throws, it may not
  /// be, and another try continues what was downloaded.
  static func load(
    _ identifier: String, progress: @escaping @Sendable (Double) -> Void
  ) async throws {
    let manager = AssetPackManager.shared
    let pack = try await manager.assetPack(withID: identifier)
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

  /// The contents of a file, by the path that `ba-package evaluate` lists. All packs on the device are
  /// seen as one folder.
  static func contents(_ path: String) throws -> Data {
    try AssetPackManager.shared.contents(at: FilePath(path))
  }

  /// Where a file is, for engines that open or mount files themselves: a Godot `.pck`, an Unreal
  /// `.pak`, a Unity bundle. It can be another place after an update, so ask again at each start.
  static func url(_ path: String) throws -> URL {
    try AssetPackManager.shared.url(for: FilePath(path))
  }
}
