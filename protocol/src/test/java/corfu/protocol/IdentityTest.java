package corfu.protocol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import corfu.protocol.message.RequestOrigin;
import org.junit.jupiter.api.Test;

class IdentityTest {

  @Test
  void aNameHasBytesButNotTooMany() {
    assertThat(new Identity("ä".repeat(Identity.MAX_BYTES / 2)).name()).hasSize(1_024);
    assertThatThrownBy(() -> new Identity("ä".repeat(Identity.MAX_BYTES / 2) + "a"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("2049 bytes");
    assertThatThrownBy(() -> new Identity("")).isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void aNameCannotForgeALineOfALog() {
    assertThatThrownBy(() -> new Identity("alice\nadmin"))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void anOriginTellsTheProvenName() {
    assertThat(new RequestOrigin("10.0.0.7")).hasToString("10.0.0.7");
    assertThat(new RequestOrigin("10.0.0.7", new Identity("spiffe://prod/orders")))
        .hasToString("spiffe://prod/orders at 10.0.0.7");
  }
}
