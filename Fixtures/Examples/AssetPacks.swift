// The names of asset packs, made by 'ba-package app-info --swift': changes are lost.

enum AssetPacks {
  static let `lantern-keeper-dialogue-de` = "lantern-keeper-dialogue-de"
  static let `lantern-keeper-dialogue-en` = "lantern-keeper-dialogue-en"
  static let `lantern-keeper-dialogue-ja` = "lantern-keeper-dialogue-ja"
  static let `lantern-keeper-harbour` = "lantern-keeper-harbour"
  static let `lantern-keeper-lighthouse` = "lantern-keeper-lighthouse"
}

enum AssetPackPaths {
  enum `lantern-keeper-dialogue-de` {
    static let `Dialogue/keeper.txt` = "Dialogue/keeper.txt"
    static let `Voices/end.wav` = "Voices/end.wav"
    static let `Voices/greet.wav` = "Voices/greet.wav"
  }
  enum `lantern-keeper-dialogue-en` {
    static let `Dialogue/keeper.txt` = "Dialogue/keeper.txt"
    static let `Voices/end.wav` = "Voices/end.wav"
    static let `Voices/greet.wav` = "Voices/greet.wav"
  }
  enum `lantern-keeper-dialogue-ja` {
    static let `Dialogue/keeper.txt` = "Dialogue/keeper.txt"
    static let `Voices/end.wav` = "Voices/end.wav"
    static let `Voices/greet.wav` = "Voices/greet.wav"
  }
  enum `lantern-keeper-harbour` {
    static let `Credits.txt` = "Credits.txt"
    static let `Dialogue/de/Begrüßung.txt` = "Dialogue/de/Begrüßung.txt"
    static let `Dialogue/en/gull.txt` = "Dialogue/en/gull.txt"
    static let `Dialogue/en/keeper.txt` = "Dialogue/en/keeper.txt"
    static let `Levels/01-harbour/level.json` = "Levels/01-harbour/level.json"
    static let `Levels/01-harbour/tiles.txt` = "Levels/01-harbour/tiles.txt"
    static let `Levels/order.txt` = "Levels/order.txt"
    static let `Sounds/Effects/bell.wav` = "Sounds/Effects/bell.wav"
    static let `Sounds/Effects/wave.wav` = "Sounds/Effects/wave.wav"
    static let `Textures/.atlas` = "Textures/.atlas"
    static let `Textures/Characters/gull.png` = "Textures/Characters/gull.png"
    static let `Textures/Characters/keeper.png` = "Textures/Characters/keeper.png"
    static let `Textures/Tiles/grass.png` = "Textures/Tiles/grass.png"
    static let `Textures/Tiles/stone.png` = "Textures/Tiles/stone.png"
    static let `Textures/Tiles/water.png` = "Textures/Tiles/water.png"
    static let `Textures/title.png` = "Textures/title.png"
    static let `Tools/preview.sh` = "Tools/preview.sh"
  }
  enum `lantern-keeper-lighthouse` {
    static let `Levels/02-lighthouse/cellar/level.json` = "Levels/02-lighthouse/cellar/level.json"
    static let `Levels/02-lighthouse/cellar/tiles.txt` = "Levels/02-lighthouse/cellar/tiles.txt"
    static let `Levels/02-lighthouse/level.json` = "Levels/02-lighthouse/level.json"
    static let `Levels/02-lighthouse/replay.dat` = "Levels/02-lighthouse/replay.dat"
    static let `Levels/02-lighthouse/tiles.txt` = "Levels/02-lighthouse/tiles.txt"
    static let `Sounds/Music/theme.wav` = "Sounds/Music/theme.wav"
  }
}
