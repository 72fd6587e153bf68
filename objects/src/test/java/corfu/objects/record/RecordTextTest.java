package corfu.objects.record;

import static org.assertj.core.api.Assertions.assertThat;

import corfu.protocol.StreamId;
import java.nio.ByteBuffer;
import java.util.List;
import org.junit.jupiter.api.Test;

/** How messages tell of records. */
class RecordTextTest {

  @Test
  void bytesAreCountedAndNotShown() {
    StreamId object = new StreamId(1, 2);
    Update update = new Update(object, "put(Object)", 0, ByteBuffer.allocate(3).asReadOnlyBuffer());
    CallId call = new CallId(7, 1);

    assertThat(update)
        .hasToString("put(Object) of object " + object + " with 3 bytes of arguments");
    assertThat(new Updates(call, 0, List.of(update)).toString()).doesNotContain("ByteBuffer");
    assertThat(new CheckpointPart(call, ByteBuffer.allocate(5)))
        .hasToString("a part of a checkpoint with 5 bytes");
  }
}
