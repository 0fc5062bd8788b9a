import BAPackCore
import Testing

@Test func librarySharesTheVersion() {
  #expect(!toolVersion.isEmpty)
}
