package corfu.cli.argument;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import corfu.protocol.StreamId;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class StreamNameTest {

  @Test
  void aNameStandsForItsStream() {
    assertThat(StreamName.parse("orders").id()).isEqualTo(StreamId.named("orders"));
    assertThat(StreamName.parse("Größe 3")).hasToString("Größe 3");
  }

  @Test
  void anIdIsTakenAsItIs() {
    var id = new StreamId(0x1234, 5);

    assertThat(StreamName.parse("id:" + id).id()).isEqualTo(id);
    assertThat(StreamName.parse("id:" + id.toString().toUpperCase(Locale.ROOT)).id()).isEqualTo(id);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "id:", "id:orders", "id:1-2-3-4-5"})
  void whatNamesNoStreamIsRefused(String text) {
    assertThatThrownBy(() -> StreamName.parse(text)).isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void theReservedStreamIsNobodys() {
    assertThatThrownBy(() -> StreamName.parse("id:" + StreamId.NONE))
        .hasMessageContaining("reserved");
  }
}
