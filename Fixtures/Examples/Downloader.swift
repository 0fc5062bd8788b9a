// The downloader extension of packs that Apple hosts, with the files that
// `ba-package app-info --extension` writes. For packs on your own server it is a
// `ManagedDownloaderExtension`, of BackgroundAssets, instead.

import BackgroundAssets
import ExtensionFoundation
import StoreKit

@main
struct Downloader: StoreDownloaderExtension {
  /// Whether the system may download a pack by itself; without this function it always may.
  func shouldDownload(_ pack: AssetPack) -> Bool { true }
}
