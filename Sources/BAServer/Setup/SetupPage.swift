import BAPackCore

/// The page that explains how to install the authority on a device, for a client of `host`: the
/// authority's name in the device's settings, and the hosts of the override URLs to type, the best
/// first. On a wide screen it shows `code`, the picture of its own address for a device's camera. It
/// has no scripts, and everybody can read it: a password isn't in it.
func setupPage(
  host: String, authority: String, fingerprint: String, servedHosts: [String],
  asksForPassword: Bool, code: String?
) -> String {
  let host = escapedXML(host)
  let name = escapedXML(authority)
  let hosts = servedHosts.map(escapedXML)
  let first = hosts.first ?? ""
  let login =
    asksForPassword
    ? " with the name and password that ba-serve printed: <code>https://NAME:PASSWORD@\(first)</code>"
    : ""
  let trust = """
    <li>In <b>Settings &rsaquo; General &rsaquo; About &rsaquo; Certificate Trust Settings</b>, turn
    on <b>\(name)</b>. Without this step every download fails.</li>
    """
  let developerMode = """
    <li>In <b>Settings &rsaquo; Privacy &amp; Security &rsaquo; Developer Mode</b>, turn Developer
    Mode on.</li>
    """
  let override = """
    <li>In <b>Settings &rsaquo; Developer &rsaquo; Background Assets Testing &rsaquo; Development
    Overrides</b>, enter the URL override <code>https://\(first)</code>\(login).</li>
    """
  /// How people make a platform trust the authority, and use the server.
  func steps(on platform: Platform) -> String {
    switch platform {
    case .iOS:
      """
      <li>Open this page in Safari, tap <b>Download the profile</b>, and allow it.</li>
      <li>Open <b>Settings</b>, tap <b>Profile Downloaded</b> at the top, then <b>Install</b>.</li>
      \(trust)
      \(developerMode)
      \(override)
      <li>Start your app from Xcode. If the device asks for access to the local network, allow
      it.</li>
      """
    case .tvOS:
      """
      <li>Send the profile from a Mac: open Apple Configurator, select the Apple TV, choose
      <b>Actions &rsaquo; Add &rsaquo; Profiles</b>, and choose the file.</li>
      \(trust)
      \(override)
      """
    case .macOS:
      """
      <li>Download the profile and open it. In <b>System Settings</b>, search for <b>Profiles</b>,
      open the profile, then <b>Install</b>. Or, in Terminal:
      <p><code>curl -O http://\(host)/authority.cer<br>
      sudo security add-trusted-cert -d -r trustRoot -k /Library/Keychains/System.keychain
      authority.cer</code></p></li>
      <li>In Terminal:
      <p><code>ba-serve url-override https://\(first)</code>\(login)</p></li>
      <li>When you are done:
      <p><code>ba-serve url-override --clear</code></p></li>
      """
    default:
      """
      <li>Open this page in Safari, select <b>Download the profile</b>, and allow it.</li>
      <li>Open <b>Settings &rsaquo; General &rsaquo; VPN &amp; Device Management</b>, select the
      profile, then <b>Install</b>.</li>
      \(trust)
      \(developerMode)
      \(override)
      """
    }
  }
  let sections = Platform.known.map { platform in
    """
    <details id="\(platform.option)"\(platform == .iOS ? " open" : "")><summary>\(platform.devices)</summary>
    <ol>
    \(steps(on: platform))
    </ol></details>
    """
  }.joined(separator: "\n")
  return filled(
    PackageResources.setup_html,
    [
      "@FINGERPRINT@": fingerprint, "@SECTIONS@": sections,
      "@HOSTS@": hosts.map {
        "<li><a href=\"https://\($0)/\"><code>https://\($0)</code></a></li>"
      }.joined(separator: "\n"),
      "@CODE@": code.map {
        "<div class=\"code\">\($0)<p>Scan this with a device to open this page there.</p></div>"
      } ?? "",
      "@NAME@": name,
    ])
}
