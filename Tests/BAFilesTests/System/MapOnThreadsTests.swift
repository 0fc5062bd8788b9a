import BAFiles
import Synchronization
import Testing

@Suite struct MapOnThreadsTests {
  @Test(arguments: [0, 1, 255, 256, 257, 5000]) func resultsAreInOrder(count: Int) {
    let calls = Mutex(Set<Int>())
    let results = mapOnThreads(count) { index in
      calls.withLock { $0.insert(index).inserted } ? index * 3 : -1
    }
    #expect(results == (0..<count).map { $0 * 3 })
  }
}
