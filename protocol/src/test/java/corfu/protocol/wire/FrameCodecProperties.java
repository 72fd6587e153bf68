package corfu.protocol.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.sun.management.ThreadMXBean;
import corfu.protocol.Entry;
import corfu.protocol.EntryBlocks;
import corfu.protocol.message.Failure;
import corfu.protocol.message.LogUnitReply;
import corfu.protocol.message.LogUnitRequest;
import corfu.protocol.message.Message;
import corfu.protocol.message.Reply;
import corfu.protocol.message.Request;
import corfu.protocol.message.SequencerReply;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

/**
 * The codec reads all that it writes. Everything unreadable is reported as malformed, without other
 * harm.
 */
class FrameCodecProperties {

  private static final ThreadMXBean ALLOCATION = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  private static ByteBuffer encode(Message message, long requestId, int version) {
    HeapWriter out = new HeapWriter();
    FrameCodec.encode(message, requestId, version, out);
    return out.finish();
  }

  /** Returns the oldest or the newest version of a message at random. */
  private static int anyVersion(Message message, long seed) {
    return Math.floorMod(seed, 2) == 0
        ? FrameCodec.oldestVersionOf(message)
        : FrameCodec.NEWEST_VERSION;
  }

  private static ByteBuffer copy(ByteBuffer frame, int length) {
    byte[] bytes = new byte[length];
    frame.get(frame.position(), bytes, 0, Math.min(length, frame.remaining()));
    return ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
  }

  @Property(tries = 2_000)
  void everyMessageComesBack(@ForAll MessageType type, @ForAll long requestId, @ForAll long seed) {
    Message message = new RandomMessages(new Random(seed)).of(type);

    ByteBuffer bytes = encode(message, requestId, anyVersion(message, seed));
    Frame frame = FrameCodec.decode(bytes);

    assertThat(frame).isEqualTo(new Frame(requestId, anyVersion(message, seed), message));
    assertThat(FrameCodec.claimedLength(bytes)).isEqualTo(bytes.remaining());
    assertThat(FrameCodec.requestId(bytes)).isEqualTo(requestId);
    if (message instanceof Request request) {
      assertThat(bytes.getLong(8)).isEqualTo(request.epoch().value());
    }
  }

  @Property(tries = 200)
  void aMessageOfALaterVersionIsNeitherWrittenNorReadInAnEarlierOne(
      @ForAll MessageType type, @ForAll long seed) {
    Message message = new RandomMessages(new Random(seed)).of(type);
    int oldest = FrameCodec.oldestVersionOf(message);
    assertThat(oldest).isGreaterThanOrEqualTo(type.since());
    if (type.since() > FrameCodec.OLDEST_VERSION) {
      boolean isRefusalInstead = message instanceof Failure || oldest > type.since();
      if (isSealed(type)) {
        assertThat(FrameCodec.decode(encode(message, 1, type.since() - 1)).message())
            .isEqualTo(withoutSeals(message));
      } else if (!isRefusalInstead) {
        assertThatExceptionOfType(IllegalArgumentException.class)
            .isThrownBy(() -> encode(message, 1, type.since() - 1));
      }
      ByteBuffer frame = encode(Reply.Done.DONE, 1, FrameCodec.OLDEST_VERSION);
      frame.putShort(Integer.BYTES, (short) type.code());
      assertThatExceptionOfType(MalformedFrameException.class)
          .isThrownBy(() -> FrameCodec.decode(frame))
          .satisfies(refused -> assertThat(refused.kind()).isEqualTo(Failure.Cause.UNKNOWN_TYPE));
    }
  }

  private static boolean isSealed(MessageType type) {
    return switch (type) {
      case SEALED_WRITE, SEALED_TOKENS, SEALED_STREAM_TOKENS -> true;
      default -> false;
    };
  }

  private static Message withoutSeals(Message message) {
    return switch (message) {
      case LogUnitRequest.Write write -> new LogUnitRequest.Write(write.epoch(), write.entries());
      case SequencerReply.Tokens tokens ->
          new SequencerReply.Tokens(tokens.first(), tokens.count());
      case SequencerReply.StreamTokens tokens -> new SequencerReply.StreamTokens(tokens.outcomes());
      default -> message;
    };
  }

  /**
   * A missing permission, and a reply with an outcome of a later version, become refusals. A used
   * quota becomes an overload, after which the client tries again.
   */
  @Property(tries = 500)
  void aRefusalOfALaterVersionIsARefusalInAnEarlierOne(
      @ForAll MessageType type, @ForAll long seed) {
    Message message = new RandomMessages(new Random(seed)).of(type);
    if (!(message instanceof Reply)
        || (type.since() == FrameCodec.oldestVersionOf(message) && !(message instanceof Failure))) {
      return;
    }
    for (int version = 1; version < FrameCodec.oldestVersionOf(message); version++) {
      Message read = FrameCodec.decode(encode(message, 1, version)).message();
      assertThat(read)
          .isInstanceOf(
              message instanceof Failure.OverQuota
                  ? Failure.Overloaded.class
                  : Failure.Refused.class);
      if (message instanceof Failure.Forbidden forbidden) {
        assertThat(((Failure.Refused) read).reason()).isEqualTo(forbidden.reason());
      }
    }
  }

  @Property(tries = 500)
  void aFrameMayLieAnywhereInItsBuffer(@ForAll MessageType type, @ForAll long seed) {
    Message message = new RandomMessages(new Random(seed)).of(type);
    ByteBuffer bytes = encode(message, 5, anyVersion(message, seed));
    ByteBuffer direct = ByteBuffer.allocateDirect(bytes.remaining() + 20);
    direct.position(7).put(bytes.duplicate()).flip().position(7);

    assertThat(FrameCodec.claimedLength(direct)).isEqualTo(bytes.remaining());
    assertThat(FrameCodec.requestId(direct)).isEqualTo(5);
    assertThat(FrameCodec.decode(direct).message()).isEqualTo(message);
    assertThat(direct.position()).isEqualTo(7);
  }

  @Property(tries = 150)
  void aFrameThatIsCutAnywhereIsMalformed(@ForAll MessageType type, @ForAll long seed) {
    Message message = new RandomMessages(new Random(seed)).of(type);
    ByteBuffer whole = encode(message, 1, anyVersion(message, seed));

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
    Message message = new RandomMessages(new Random(seed)).of(type);
    ByteBuffer whole = encode(message, 1, anyVersion(message, seed));
    ByteBuffer longer = copy(whole, whole.remaining() + 1);
    longer.putInt(0, longer.capacity());

    assertThatExceptionOfType(MalformedFrameException.class)
        .isThrownBy(() -> FrameCodec.decode(longer));
  }

  @Property(tries = 10_000)
  void aDamagedFrameIsReadOrMalformedAndTakesNoMoreMemoryThanItsBytesExplain(
      @ForAll MessageType type, @ForAll long seed) {
    Random random = new Random(seed);
    Message message = new RandomMessages(random).of(type);
    ByteBuffer frame = encode(message, 1, anyVersion(message, seed));
    for (int hits = random.nextInt(1, 5); hits > 0; hits--) {
      int at = random.nextInt(Integer.BYTES, frame.remaining());
      switch (random.nextInt(3)) {
        case 0 -> frame.put(at, (byte) random.nextInt());
        case 1 -> frame.put(at, (byte) (frame.get(at) ^ 1 << random.nextInt(8)));
        default -> frame.put(at, (byte) (random.nextBoolean() ? 0x7f : 0xff));
      }
    }

    decodeOrRefuse(frame.duplicate()); // loads the classes
    long before = ALLOCATION.getCurrentThreadAllocatedBytes();
    decodeOrRefuse(frame.duplicate());
    long allocated = ALLOCATION.getCurrentThreadAllocatedBytes() - before;
    assertThat(allocated).isLessThan((256L << 10) + 64L * frame.remaining());
  }

  /**
   * Changes any byte of a frame with checksums. Entries are excluded; they have their own
   * checksums.
   */
  @Property(tries = 10_000)
  void aChangedFrameNeverBecomesAnotherOne(@ForAll MessageType type, @ForAll long seed) {
    Random random = new Random(seed);
    Message message = new RandomMessages(random).of(type);
    ByteBuffer frame = encode(message, seed, FrameCodec.NEWEST_VERSION);
    int at = random.nextInt(frame.remaining());
    frame.put(at, (byte) (frame.get(at) ^ random.nextInt(1, 256)));

    try {
      Frame read = FrameCodec.decode(frame.duplicate());
      assertThat(read.version()).isEqualTo(FrameCodec.NEWEST_VERSION);
      assertThat(read.requestId()).isEqualTo(seed);
      assertThat(isIntact(read.message())).as("%s, read as %s", message, read).isFalse();
    } catch (MalformedFrameException expected) {
      assertThat(FrameCodec.provenRequestId(frame)).isZero();
    }
  }

  private static boolean isIntact(Message message) {
    if (message instanceof LogUnitReply.FoundBlocks blocks) {
      return blocks.outcomes().stream().allMatch(FrameCodecProperties::isIntact);
    }
    List<Entry> entries =
        switch (message) {
          case LogUnitRequest.Write write -> write.entries();
          case LogUnitRequest.Repair repair -> repair.entries();
          case LogUnitReply.StreamEntries piece -> piece.entries();
          case LogUnitReply.Heard heard -> heard.entries();
          case LogUnitReply.Reads reads ->
              reads.outcomes().stream().flatMap(outcome -> entryOf(outcome).stream()).toList();
          case LogUnitReply.Copied copied ->
              copied.records().stream()
                  .flatMap(record -> entryOf(record.outcome()).stream())
                  .toList();
          default -> List.of();
        };
    return entries.stream().allMatch(Entry::isIntact);
  }

  private static boolean isIntact(LogUnitReply.BlocksOutcome outcome) {
    return switch (outcome) {
      case LogUnitReply.BlocksOutcome.Found(EntryBlocks blocks) -> blocks.isIntact();
      case LogUnitReply.BlocksOutcome.Whole(Entry entry) -> entry.isIntact();
      default -> true;
    };
  }

  private static Optional<Entry> entryOf(LogUnitReply.ReadOutcome outcome) {
    return switch (outcome) {
      case LogUnitReply.ReadOutcome.Found(Entry entry) -> Optional.of(entry);
      case LogUnitReply.ReadOutcome.Unconfirmed(Entry entry) -> Optional.of(entry);
      default -> Optional.empty();
    };
  }

  @Property(tries = 500)
  void aSoundFrameOfAnUnknownTypeProvesItsRequestId(@ForAll long requestId) {
    ByteBuffer frame = encode(Reply.Done.DONE, requestId, FrameCodec.NEWEST_VERSION);
    assertThat(FrameCodec.provenRequestId(frame)).isEqualTo(requestId);
    assertThat(FrameCodec.provenRequestId(encode(Reply.Done.DONE, requestId, 1))).isZero();
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
