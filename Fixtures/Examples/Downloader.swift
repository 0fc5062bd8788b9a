// The downloader extension of packs that Apple hosts, with the files that
// `ba-package app-info --extension` writes. For packs on your own server it is a
// `ManagedDownloaderExtension`, of BackgroundAssets, instead.

import BackgroundAssets
import ExtensionFoundation
import Foundation
import StoreKit

@main
struct Downloader: StoreDownloaderExtension {
  /// Whether the system may download a pack by itself; without this function it always may. The app
  /// can still request a pack that is refused here.
  func shouldDownload(_ pack: AssetPack) -> Bool {
    // Textures in high resolution are for devices that can show them.
    !pack.id.hasSuffix("-high-resolution")
      || ProcessInfo.processInfo.physicalMemory >= 6 << 30
  }
}
