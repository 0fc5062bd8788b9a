import BAPackCore

extension TagConversion {
  /// Reads the asset catalogues in a folder whose files aren't listed in the project.
  mutating func findCatalogues(below folder: String) {
    guard let path = relativePath(folder) ?? (joined(self.folder, folder).isEmpty ? .root : nil)
    else { return }
    var folders = [path]
    while let next = folders.popLast() {
      let full = root.appending(next.bytes)
      var names: [[UInt8]] = []
      do throws(SystemError) {
        for name in try full.names() where name.first != ASCII.dot {
          // A link could point back to a parent folder.
          let kind = try FileStatus.notFollowing(full.appending(name)).kind
          if kind == .directory { names.append(name) }
        }
      } catch {
        if error.code != .noSuchFile {
          report(Finding(.unreadableFile, error.description, at: nil))
        }
        continue
      }
      for name in names {
        let child = next.appending(name)
        if name.suffix(9).elementsEqual(".xcassets".utf8) {
          read(child)
        } else {
          folders.append(child)
        }
      }
    }
  }

  /// Reads an asset catalogue of the project.
  mutating func read(_ path: String, at location: SourceLocation) {
    guard let path = relativePath(path), kind(of: path) == .directory else {
      report(
        Finding(
          .onDemandPath, "there is no asset catalogue '\(printable(path.utf8))'", at: location))
      return
    }
    read(path)
  }

  private mutating func read(_ path: RelativePath) {
    let catalogue = AssetCatalogue(at: path, below: root)
    for finding in catalogue.findings { report(finding) }
    for asset in catalogue.assets {
      let files = asset.dataFiles.compactMap { name in
        RelativePath(name.utf8).map { asset.path.appending($0.bytes) }
      }.filter { kind(of: $0) == .file }
      for file in files { select(file, .file, tags: asset.tags, at: asset.location) }
      report(
        Finding(
          .onDemandCatalogue,
          files.isEmpty
            ? "'\(asset.path)' is left out of \(named(asset.tags)): assets of a catalogue are compiled into the app"
            : "'\(asset.path)' becomes the file '\(files[0])', which the app must read by its path",
          at: asset.location,
          notes: files.isEmpty
            ? [Note("move its pictures into a folder, and load them by their paths")] : []))
    }
  }
}
