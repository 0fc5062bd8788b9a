extension Project {
  /// The project file that `ba-package template --project` writes: every key, commented out.
  package static let template = """
    {
    \t// Settings for all commands of ba-package that run in this folder or below it. Uncomment the
    \t// ones you need.

    \t// Who hosts the packs: "apple", or "self" for a server of your own.
    \t// "hosting": "apple",

    \t// The folder that selectors start from in manifests without a "sourceRoot", relative to this
    \t// file's own folder.
    \t// "root": ".",

    \t// The folder that packs are written to if no output path is given.
    \t// "outputFolder": "build",

    \t// The app's primary language: players whose language has no packs get those.
    \t// "primaryLanguage": "en",

    \t// The compression algorithm of packs: "lzfse", as Apple's tool uses, "zlib" or "store".
    \t// "compression": "lzfse",

    \t// Where symbolic links may lead: "inside" the source root, or anywhere with "follow".
    \t// "links": "inside",

    \t// Package Git LFS pointers and other placeholders for files that were not fetched.
    \t// "allowStubs": true,

    \t// Treat warnings as errors.
    \t// "strict": true,

    \t// How large packs may be before compression: all essential packs of one player together, each
    \t// pack with another policy, or a single pack.
    \t"sizeBudgets": {
    \t\t// "essential": "200 MB", // null means no limit
    \t\t// "prefetch": "1 GB",
    \t\t// "onDemand": "1 GB",
    \t\t// "packs": { "tutorial": "50 MB" }
    \t},

    \t// Rules: "off", "warning" or "error", for all files or by path. Paths are relative to this file's
    \t// own folder: a file, a folder or a pattern; the last one that matches counts. "ba-package
    \t// explain" lists the rules. To ignore a finding on one line of a manifest, write a comment there:
    \t//   { "directory": "Art" }, // ba-package: ignore source-art
    \t"rules": {
    \t\t// "stray-file": "error",
    \t\t// "case-clash": { "Art": "off", "Levels/**/*.json": "error" }
    \t}
    }

    """
}
