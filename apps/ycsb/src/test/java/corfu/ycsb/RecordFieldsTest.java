package corfu.ycsb;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

class RecordFieldsTest {

  @Test
  void aRecordComesBackAsItWentWithItsFieldsInOrder() {
    Map<String, byte[]> fields = new LinkedHashMap<>();
    fields.put("zwölf", "z".getBytes(UTF_8));
    fields.put("empty", new byte[0]);
    fields.put("a", new byte[] {0, -1, 1});

    Map<String, byte[]> back = RecordFields.decode(ByteBuffer.wrap(RecordFields.encode(fields)));

    assertThat(back.keySet()).containsExactly("zwölf", "empty", "a");
    assertThat(back.get("zwölf")).isEqualTo("z".getBytes(UTF_8));
    assertThat(back.get("empty")).isEmpty();
    assertThat(back.get("a")).containsExactly(0, -1, 1);
  }

  @Test
  void whatIsNoRecordIsRefused() {
    assertThatThrownBy(() -> RecordFields.decode(ByteBuffer.wrap("hello, world".getBytes(UTF_8))))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("no record");
    assertThatThrownBy(() -> RecordFields.decode(ByteBuffer.wrap(new byte[] {0, 0, -1, 0, 0, 0})))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
