import BAPackCore
import Testing

@Test func versionIsThreeNumbers() {
  #expect(toolVersion.split(separator: ".").compactMap { Int($0) }.count == 3)
}
