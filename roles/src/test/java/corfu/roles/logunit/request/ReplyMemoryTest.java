package corfu.roles.logunit.request;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Memory that successive replies reuse. */
class ReplyMemoryTest {

  private final List<Integer> fresh = new ArrayList<>();
  private final ReplyMemory memory =
      new ReplyMemory(
          bytes -> {
            fresh.add(bytes);
            return ByteBuffer.allocate(bytes);
          });

  @Test
  void whatOneReplyTakesIsApart() {
    List<ByteBuffer> taken = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      taken.add(filled(memory.apply(30_000), i));
    }

    for (int i = 0; i < taken.size(); i++) {
      assertThat(taken.get(i)).isEqualTo(filled(ByteBuffer.allocate(30_000), i));
    }
  }

  @Test
  void theNextReplyTakesTheSameAgain() {
    for (int reply = 0; reply < 50; reply++) {
      memory.begin();
      for (int piece = 0; piece < 8; piece++) {
        assertThat(memory.apply(100_000).capacity()).isEqualTo(100_000);
      }
    }

    assertThat(fresh).hasSizeLessThan(8);
    assertThat(fresh.getLast()).isLessThanOrEqualTo(ReplyMemory.MOST_BYTES);
  }

  @Test
  void whatIsBeyondTheBoundIsNotKept() {
    memory.begin();
    assertThat(memory.apply(5 * ReplyMemory.MOST_BYTES).capacity())
        .isEqualTo(5 * ReplyMemory.MOST_BYTES);
    memory.apply(ReplyMemory.MOST_BYTES);
    memory.apply(ReplyMemory.MOST_BYTES);

    assertThat(fresh).containsExactly(ReplyMemory.MOST_BYTES);
  }

  private static ByteBuffer filled(ByteBuffer piece, int with) {
    while (piece.hasRemaining()) {
      piece.put((byte) with);
    }
    return piece.flip();
  }
}
