package corfu.access.gate;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class StreamRightsTest {

  private final StreamRights rights = new StreamRights();

  @Test
  void itRemembersManyStreams() {
    for (int i = 0; i < StreamRights.MOST; i++) {
      rights.put(i, -i, i & 7);
    }
    for (int i = 0; i < StreamRights.MOST; i++) {
      assertThat(rights.get(i, -i)).isEqualTo(i & 7);
    }
    assertThat(rights.get(1, 1)).isEqualTo(StreamRights.UNKNOWN);
  }

  @Test
  void whenItIsFullItBeginsAgain() {
    for (int i = 0; i <= StreamRights.MOST; i++) {
      rights.put(i, i, 7);
    }
    assertThat(rights.get(0, 0)).isEqualTo(StreamRights.UNKNOWN);
    assertThat(rights.get(StreamRights.MOST, StreamRights.MOST)).isEqualTo(7);
  }
}
