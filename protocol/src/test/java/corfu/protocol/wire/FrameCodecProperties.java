package corfu.protocol.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.sun.management.ThreadMXBean;
import corfu.protocol.message.Message;
import corfu.protocol.message.Request;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

/** Whatever is written can be read, and whatever can't be read is malformed, nothing worse. */
class FrameCodecProperties {

  private static final ThreadMXBean ALLOCATION = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  private static ByteBuffer encode(Message message, long requestId) {
    HeapWriter out = new HeapWriter();
    FrameCodec.encode(message, requestId, out);
    return out.finish();
  }

  private static ByteBuffer copy(ByteBuffer frame, int length) {
    byte[] bytes = new byte[length];
    frame.get(frame.position(), bytes, 0, Math.min(length, frame.remaining()));
    return ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
  }

  @Property(tries = 2_000)
  void everyMessageComesBack(@ForAll MessageType type, @ForAll long requestId, @ForAll long seed) {
    Message message = new RandomMessages(new Random(seed)).of(type);

    ByteBuffer bytes = encode(message, requestId);
    Frame frame = FrameCodec.decode(bytes);

    assertThat(frame).isEqualTo(new Frame(requestId, FrameCodec.NEWEST_VERSION, message));
    assertThat(FrameCodec.claimedLength(bytes)).isEqualTo(bytes.remaining());
    assertThat(FrameCodec.requestId(bytes)).isEqualTo(requestId);
    if (message instanceof Request request) {
      assertThat(bytes.getLong(8)).isEqualTo(request.epoch().value());
    }
  }

  @Property(tries = 500)
  void aFrameMayLieAnywhereInItsBuffer(@ForAll MessageType type, @ForAll long seed) {
    Message message = new RandomMessages(new Random(seed)).of(type);
    ByteBuffer bytes = encode(message, 5);
    ByteBuffer direct = ByteBuffer.allocateDirect(bytes.remaining() + 20);
    direct.position(7).put(bytes.duplicate()).flip().position(7);

    assertThat(FrameCodec.claimedLength(direct)).isEqualTo(bytes.remaining());
    assertThat(FrameCodec.requestId(direct)).isEqualTo(5);
    assertThat(FrameCodec.decode(direct).message()).isEqualTo(message);
    assertThat(direct.position()).isEqualTo(7);
  }

  @Property(tries = 150)
  void aFrameThatIsCutAnywhereIsMalformed(@ForAll MessageType type, @ForAll long seed) {
    ByteBuffer whole = encode(new RandomMessages(new Random(seed)).of(type), 1);

    for (int length = 0; length < whole.remaining(); length++) {
      ByteBuffer cut = copy(whole, length);
      assertThatExceptionOfType(MalformedFrameException.class)
          .isThrownBy(() -> FrameCodec.decode(cut));
      if (length >= Integer.BYTES) {
        cut.putInt(0, length);
        assertThatExceptionOfType(MalformedFrameException.class)
            .isThrownBy(() -> FrameCodec.decode(cut));
      }
    }
  }

  @Property(tries = 500)
  void aFrameWithMoreBehindItIsMalformed(@ForAll MessageType type, @ForAll long seed) {
    ByteBuffer whole = encode(new RandomMessages(new Random(seed)).of(type), 1);
    ByteBuffer longer = copy(whole, whole.remaining() + 1);
    longer.putInt(0, longer.capacity());

    assertThatExceptionOfType(MalformedFrameException.class)
        .isThrownBy(() -> FrameCodec.decode(longer));
  }

  @Property(tries = 10_000)
  void aDamagedFrameIsReadOrMalformedAndTakesNoMoreMemoryThanItsBytesExplain(
      @ForAll MessageType type, @ForAll long seed) {
    Random random = new Random(seed);
    ByteBuffer frame = encode(new RandomMessages(random).of(type), 1);
    for (int hits = random.nextInt(1, 5); hits > 0; hits--) {
      int at = random.nextInt(Integer.BYTES, frame.remaining());
      switch (random.nextInt(3)) {
        case 0 -> frame.put(at, (byte) random.nextInt());
        case 1 -> frame.put(at, (byte) (frame.get(at) ^ 1 << random.nextInt(8)));
        default -> frame.put(at, (byte) (random.nextBoolean() ? 0x7f : 0xff));
      }
    }

    decodeOrRefuse(frame.duplicate()); // classes are loaded now
    long before = ALLOCATION.getCurrentThreadAllocatedBytes();
    decodeOrRefuse(frame.duplicate());
    long allocated = ALLOCATION.getCurrentThreadAllocatedBytes() - before;
    assertThat(allocated).isLessThan((256L << 10) + 64L * frame.remaining());
  }

  private static void decodeOrRefuse(ByteBuffer frame) {
    try {
      FrameCodec.decode(frame.order(ByteOrder.LITTLE_ENDIAN));
    } catch (MalformedFrameException expected) {
      assertThat(expected.kind()).isNotNull();
    }
  }

  @Property(tries = 2_000)
  void noiseIsMalformed(@ForAll byte[] noise) {
    try {
      FrameCodec.decode(ByteBuffer.wrap(noise));
    } catch (MalformedFrameException expected) {
      assertThat(expected.getMessage()).isNotEmpty();
    }
  }
}
