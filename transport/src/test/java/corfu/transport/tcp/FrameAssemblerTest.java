package corfu.transport.tcp;

import static org.assertj.core.api.Assertions.assertThat;

import corfu.protocol.wire.FrameCodec;
import corfu.transport.tcp.FrameAssembler.FrameBytes;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.UnpooledByteBufAllocator;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Cutting received bytes into frames. */
class FrameAssemblerTest {

  private static final int MOST_BYTES = 1 << 20;
  private static final int FIRST_CAPACITY = 64 << 10;
  private static final int FRAMES = 60;

  private final UnpooledByteBufAllocator memory = new UnpooledByteBufAllocator(true);
  private final FrameAssembler frames =
      new FrameAssembler(memory, MOST_BYTES, FIRST_CAPACITY, new HeldMemory(Long.MAX_VALUE));
  private int received; // reads directly into a frame's buffer

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6})
  void theyComeAsTheyWereSentHoweverTheyArrive(long seed) {
    var random = new SplittableRandom(seed);
    List<ByteBuffer> sent = new ArrayList<>();
    int bytes = 0;
    for (int i = 0; i < FRAMES; i++) {
      sent.add(frame(random, FrameCodec.HEADER_BYTES + random.nextInt(1 << random.nextInt(20))));
      bytes += sent.getLast().remaining();
    }
    ByteBuffer way = ByteBuffer.allocate(bytes);
    sent.forEach(frame -> way.put(frame.duplicate()));
    way.flip();

    List<ByteBuffer> arrived = new ArrayList<>();
    while (way.hasRemaining()) {
      receive(way, 1 + random.nextInt(1 << random.nextInt(18)));
      for (FrameBytes next = frames.next(); next != null; next = frames.next()) {
        arrived.add(ByteBuffer.allocate(next.length()).put(next.view()).flip());
        next.release();
      }
    }

    assertThat(arrived).isEqualTo(sent);
    assertThat(received).isPositive();
    assertThat(frames.heldBytes()).isZero();
    assertThat(memory.metric().usedDirectMemory()).isZero();
  }

  @Test
  void whatIsForgottenHalfWayIsGivenBack() {
    ByteBuffer way = frame(new SplittableRandom(7), MOST_BYTES);
    receive(way, 40_000);
    assertThat(frames.next()).isNull();
    receive(way, 40_000);
    assertThat(frames.next()).isNull();
    ByteBuf unused = frames.room();
    assertThat(unused).isNotNull();

    frames.close();
    unused.release();

    assertThat(frames.heldBytes()).isZero();
    assertThat(memory.metric().usedDirectMemory()).isZero();
  }

  /** Receives like a socket that has at most this many bytes for now. */
  private void receive(ByteBuffer from, int most) {
    ByteBuf room = frames.room();
    received += room == null ? 0 : 1;
    ByteBuf read = room == null ? memory.directBuffer(most) : room;
    int count = Math.min(Math.min(most, from.remaining()), read.writableBytes());
    read.writeBytes(from.slice(from.position(), count));
    from.position(from.position() + count);
    frames.add(read);
  }

  private static ByteBuffer frame(SplittableRandom random, int bytes) {
    byte[] content = new byte[bytes];
    random.nextBytes(content);
    ByteBuffer frame = ByteBuffer.wrap(content).order(ByteOrder.LITTLE_ENDIAN);
    return frame.putInt(0, bytes);
  }
}
