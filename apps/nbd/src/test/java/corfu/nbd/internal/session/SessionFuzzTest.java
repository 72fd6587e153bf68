package corfu.nbd.internal.session;

import static org.assertj.core.api.Assertions.assertThat;

import corfu.nbd.internal.protocol.NbdCommand;
import corfu.nbd.internal.protocol.NbdNumbers;
import corfu.nbd.testing.ClientBytes;
import corfu.nbd.testing.MemoryDevice;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.util.Random;
import org.junit.jupiter.api.Test;

/**
 * Sessions with random bytes: those of a client, with mistakes. A session never fails, holds no
 * more memory than allowed, and leaves nothing behind.
 */
class SessionFuzzTest {

  private static final int SESSIONS = Integer.getInteger("corfu.nbd.sessions", 20_000);
  private static final long SEED = Long.getLong("corfu.nbd.seed", 1);

  @Test
  void noBytesMakeASessionFail() {
    for (int i = 0; i < SESSIONS; i++) {
      long seed = SEED * 1_000_003 + i;
      try {
        run(new Random(seed));
      } catch (RuntimeException | AssertionError failure) {
        throw new AssertionError("seed " + seed, failure);
      }
    }
  }

  private static void run(Random random) {
    SessionStand stand = new SessionStand(TlsNeed.values()[random.nextInt(3)]);
    ByteBuf conversation = Unpooled.buffer();
    conversation.writeBytes(ClientBytes.usualFlags());
    for (int i = random.nextInt(6); i > 0; i--) {
      conversation.writeBytes(option(random));
    }
    boolean isExtended = random.nextBoolean();
    conversation.writeBytes(
        ClientBytes.option(
            isExtended ? NbdNumbers.OPT_EXTENDED_HEADERS : NbdNumbers.OPT_STRUCTURED_REPLY));
    conversation.writeBytes(
        ClientBytes.contexts(
            NbdNumbers.OPT_SET_META_CONTEXT, "disk", MemoryDevice.ALLOCATION, MemoryDevice.DEPTH));
    conversation.writeBytes(ClientBytes.go(random.nextInt(8) == 0 ? "past" : "disk"));
    for (int i = random.nextInt(12); i > 0; i--) {
      conversation.writeBytes(request(random, isExtended));
    }
    for (int i = random.nextInt(3); i > 0; i--) {
      conversation.setByte(random.nextInt(conversation.readableBytes()), random.nextInt(256));
    }
    while (conversation.isReadable() && !stand.isClosed && !stand.isTlsStarted) {
      int bytes = 1 + random.nextInt(Math.min(conversation.readableBytes(), 400));
      stand.receive(conversation.readRetainedSlice(bytes));
      stand.takeSent();
    }
    stand.session.end();
    assertThat(stand.disk.openConnections()).isZero();
    assertThat(stand.past.openConnections()).isZero();
    assertThat(stand.budget.free()).isEqualTo(64L << 20);
  }

  private static ByteBuf option(Random random) {
    int option = random.nextInt(14);
    return switch (random.nextInt(4)) {
      case 0 -> ClientBytes.option(option);
      case 1 -> ClientBytes.go("disk").setInt(8, option);
      case 2 -> ClientBytes.contexts(option, "disk", "base:", "qemu:", "x-none:a");
      default -> {
        byte[] data = new byte[random.nextInt(60)];
        random.nextBytes(data);
        yield ClientBytes.option(option, Unpooled.wrappedBuffer(data));
      }
    };
  }

  private static ByteBuf request(Random random, boolean isExtended) {
    NbdCommand command = NbdCommand.of(random.nextInt(NbdCommand.values().length));
    boolean isWrite = command == NbdCommand.WRITE;
    int length = random.nextInt(isWrite ? 600 : 20_000);
    long offset =
        random.nextInt(10) == 0 ? random.nextLong() : random.nextInt((int) SessionStand.SIZE);
    int flags = random.nextInt(5) == 0 ? random.nextInt(64) : 0;
    ByteBuf bytes = Unpooled.buffer();
    if (isExtended) {
      flags = isWrite ? flags | NbdNumbers.CMD_FLAG_PAYLOAD_LEN : flags;
      bytes
          .writeInt(NbdNumbers.EXTENDED_REQUEST_MAGIC)
          .writeShort(flags)
          .writeShort(command.code())
          .writeLong(random.nextLong())
          .writeLong(offset)
          .writeLong(length);
    } else {
      bytes.writeBytes(ClientBytes.request(command, flags, random.nextLong(), offset, length));
    }
    return isWrite ? bytes.writeZero(length) : bytes;
  }
}
