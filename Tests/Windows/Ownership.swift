// A mistake that only the compiler's own passes find, after types were checked.

struct Owner: ~Copyable {}

func take(_ owner: consuming Owner) {}

func takeTwice() {
  // expected-error@+1 {{'owner' consumed more than once}}
  let owner = Owner()
  take(owner)  // expected-note {{consumed here}}
  take(owner)  // expected-note {{consumed again here}}
}
