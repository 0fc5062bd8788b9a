import BACommandLine
import BAPackCore

/// The manual page of manifests, `ba-package-manifest(5)`, in the mdoc language of mandoc and groff.
package let manifestManual: String = {
  var page = """
    .Dd \(versionDate)
    .Dt BA-PACKAGE-MANIFEST 5
    .Os
    .Sh NAME
    .Nm ba-package-manifest
    .Nd manifests of asset packs
    .Sh DESCRIPTION
    \(roff("A manifest lists the files of a repository that belong to an asset pack."))
    .Xr ba-package 1
    \(roff("makes packs from manifests, and its command 'validate' checks them."))

    """
  for section in ManifestReference.sections {
    page += ".Ss \(section.title)\n\(roff(plain(section.introduction)))\n.Bl -tag -width Ds\n"
    for row in section.rows {
      let since = row.since.map { $0 == "1.0" ? "" : " Apple's tool accepts it since \($0)." } ?? ""
      let term = section.term == "Case" ? roff(row.term) : "Ql " + word(row.term)
      page += ".It \(term)\n\(roff(plain(row.meaning) + since))\n"
    }
    page += ".El\n"
  }
  page += """
    .Sh FILES
    .Bl -tag -width Ds
    .It Pa .ba\\-package.json
    \(roff("The project file, found in the working directory and the folders above it. It sets "
      + "rules, budgets and defaults; 'ba-package template --project' prints one with every key."))
    .El
    .Sh EXAMPLES
    .Bd -literal -offset indent

    """
  page += """
    {
      "assetPackID": "harbour",
      "downloadPolicy": { "onDemand": {} },
      "fileSelectors": [
        { "directory": "Levels/01\\-harbour" },
        { "filePattern": "Sounds/**/*.wav" },
        { "fileExclusion": "**/*.psd" } // not for players
      ],
      "platforms": ["iOS", "macOS"]
    }
    .Ed
    .Sh SEE ALSO
    .Xr ba-package 1

    """
  return page
}()

private func plain(_ text: String) -> String { text.replacing("`", with: "'") }

/// A term as a single argument of a macro, in which quotes are doubled.
private func word(_ term: String) -> String {
  "\"" + roff(term).replacing("\n", with: " ").replacing("\"", with: "\"\"") + "\""
}
