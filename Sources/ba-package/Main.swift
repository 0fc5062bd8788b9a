import BAPackCore

@main
struct Main {
  static func main() {
    print(toolVersion)
  }
}
