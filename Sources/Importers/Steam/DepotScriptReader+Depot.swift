import BAPackCore

extension DepotScriptReader {
  mutating func depotBlock(
    _ block: KeyValue, contentRoot: Located<[UInt8]>?
  ) -> DepotScript {
    var script = DepotScript(
      id: nil, contentRoot: contentRoot, mappings: [], exclusions: [], location: block.key.location)
    var seen: [String: SourceLocation] = [:]
    for member in members(of: block) {
      if member.isNamed("FileMapping") {
        if let mapping = mapping(member) { script.mappings.append(mapping) }
      } else if member.isNamed("FileExclusion") {
        if let pattern = text(of: member) { script.exclusions.append(pattern) }
      } else if member.isNamed("ContentRoot") {
        checkOnce(member, "ContentRoot", &seen)
        if let root = text(of: member) { script.contentRoot = root }
      } else if member.isNamed("DepotID") {
        checkOnce(member, "DepotID", &seen)
        script.id = text(of: member).map { printable($0.value) }
      } else if member.isNamed("InstallScript") {
        reportLeftOut(member, "'InstallScript' is ignored: devices don't run scripts from packs")
      } else if member.isNamed("FileProperties") {
        reportLeftOut(
          member,
          "'FileProperties' is ignored: files of a pack have no attributes, and apps can't "
            + "change them")
      } else {
        reportOther(
          member,
          ["ContentRoot", "DepotID", "FileExclusion", "FileMapping", "FileProperties"]
            + ["InstallScript"] + Self.uploadKeys)
      }
    }
    if script.mappings.isEmpty, !findings.hasErrors {
      report(
        .depotValue, "the depot has no 'FileMapping', so it is empty", block.key.location)
    }
    return script
  }

  private mutating func mapping(_ block: KeyValue) -> DepotScript.FileMapping? {
    var seen: [String: SourceLocation] = [:]
    var paths: [String: Located<[UInt8]>] = [:]
    var isRecursive = false
    for member in members(of: block) {
      if member.isNamed("LocalPath") {
        checkOnce(member, "LocalPath", &seen)
        paths["LocalPath"] = text(of: member)
      } else if member.isNamed("DepotPath") {
        checkOnce(member, "DepotPath", &seen)
        paths["DepotPath"] = text(of: member)
      } else if member.isNamed("Recursive") {
        checkOnce(member, "Recursive", &seen)
        isRecursive = flag(member)
      } else {
        reportOther(member, ["LocalPath", "DepotPath", "Recursive"])
      }
    }
    for key in ["LocalPath", "DepotPath"] where seen[key] == nil && block.block != nil {
      let note = key == "DepotPath" ? [Note("use '.' for the top of the depot")] : []
      report(.depotValue, "the mapping has no '\(key)'", block.key.location, notes: note)
    }
    guard let localPath = paths["LocalPath"], let depotPath = paths["DepotPath"] else { return nil }
    return DepotScript.FileMapping(
      localPath: localPath, depotPath: depotPath, isRecursive: isRecursive)
  }

  private mutating func flag(_ member: KeyValue) -> Bool {
    guard let text = text(of: member) else { return false }
    if text.value.elementsEqual("1".utf8) { return true }
    if !text.value.elementsEqual("0".utf8) {
      report(
        .depotValue, "'Recursive' must be '0' or '1', not '\(printable(text.value))'", text.location
      )
    }
    return false
  }
}
