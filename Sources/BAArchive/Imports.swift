// Each layer exports those below it, so `import BAPackCore` is enough for all of them.
@_exported import BAFiles
