package corfu.pki;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SpiffeIdTest {

  @ParameterizedTest
  @ValueSource(
      strings = {
        "spiffe://prod",
        "spiffe://prod.example-1_a/ns/shop/sa/orders",
        "spiffe://a/.../B"
      })
  void anIdIsReadAndWritten(String text) {
    assertThat(SpiffeId.parse(text)).hasToString(text);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "prod",
        "http://prod/a",
        "spiffe:/prod",
        "spiffe://",
        "spiffe:///a",
        "spiffe://Prod/a",
        "spiffe://prod/",
        "spiffe://prod//a",
        "spiffe://prod/a/",
        "spiffe://prod/./a",
        "spiffe://prod/..",
        "spiffe://prod/a/../b",
        "spiffe://prod/%41",
        "spiffe://prod/a?b",
        "spiffe://prod/a#b",
        "spiffe://prod:1/a",
        "spiffe://u@prod/a",
        "spiffe://prod/a\n",
        "SPIFFE://prod/a"
      })
  void otherTextsAreNoIds(String text) {
    assertThatThrownBy(() -> SpiffeId.parse(text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageNotContaining("\n");
  }

  @Test
  void anIdHasABound() {
    String longest = "spiffe://prod/" + "a".repeat(SpiffeId.MAX_BYTES - 14);

    assertThat(SpiffeId.parse(longest)).hasToString(longest);
    assertThatThrownBy(() -> SpiffeId.parse(longest + "a"))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
