package corfu.nbd.internal.session;

import corfu.nbd.internal.protocol.NbdCommand;
import corfu.nbd.internal.protocol.NbdNumbers;
import corfu.nbd.testing.ClientBytes;
import corfu.nbd.testing.MemoryDevice;
import corfu.nbd.testing.MemoryExports;
import corfu.proof.fuzz.FuzzTarget;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import java.util.List;

/**
 * All that the client of a network block device sends. The session ends with its last byte, and has
 * given back whatever it held.
 */
public final class NbdSessionTarget implements FuzzTarget {

  private static final int SIZE = 16 << 10;
  private static final long BUDGET = 64L << 20; // of SessionStand

  @Override
  public String name() {
    return "nbd-session";
  }

  @Override
  public List<byte[]> seeds() {
    ByteBuf contexts =
        ClientBytes.contexts(
            NbdNumbers.OPT_SET_META_CONTEXT, "disk", MemoryDevice.ALLOCATION, MemoryDevice.DEPTH);
    return List.of(
        bytes(
            ClientBytes.usualFlags(),
            ClientBytes.option(NbdNumbers.OPT_LIST),
            ClientBytes.option(NbdNumbers.OPT_STARTTLS),
            ClientBytes.option(NbdNumbers.OPT_ABORT)),
        bytes(
            ClientBytes.begin("disk"),
            ClientBytes.write(1, 100, new byte[] {1, 2, 3}),
            ClientBytes.request(NbdCommand.READ, 0, 2, 90, 20),
            ClientBytes.request(NbdCommand.WRITE_ZEROES, 1, 3, 0, 8192),
            ClientBytes.request(NbdCommand.RESIZE, 0, 4, 8192, 0),
            ClientBytes.request(NbdCommand.DISC, 0, 5, 0, 0)),
        bytes(
            ClientBytes.usualFlags(),
            ClientBytes.option(NbdNumbers.OPT_STRUCTURED_REPLY),
            ClientBytes.contexts(NbdNumbers.OPT_LIST_META_CONTEXT, "disk", "qemu:"),
            contexts.duplicate(),
            ClientBytes.go("disk"),
            ClientBytes.request(NbdCommand.BLOCK_STATUS, 0, 6, 0, SIZE),
            ClientBytes.request(NbdCommand.READ, NbdNumbers.CMD_FLAG_DF, 7, 0, 100)),
        bytes(
            ClientBytes.usualFlags(),
            ClientBytes.option(NbdNumbers.OPT_EXTENDED_HEADERS),
            contexts.duplicate(),
            ClientBytes.go("disk"),
            extended(NbdCommand.WRITE, 8, 3).writeZero(3),
            extended(NbdCommand.BLOCK_STATUS, 9, 12).writeLong(SIZE).writeInt(2)));
  }

  private static ByteBuf extended(NbdCommand command, long cookie, long payloadBytes) {
    return Unpooled.buffer()
        .writeInt(NbdNumbers.EXTENDED_REQUEST_MAGIC)
        .writeShort(NbdNumbers.CMD_FLAG_PAYLOAD_LEN)
        .writeShort(command.code())
        .writeLong(cookie)
        .writeLong(0)
        .writeLong(payloadBytes);
  }

  private static byte[] bytes(ByteBuf... parts) {
    return ByteBufUtil.getBytes(Unpooled.wrappedBuffer(parts));
  }

  @Override
  public void run(byte[] input) {
    MemoryDevice disk = new MemoryDevice(SIZE);
    SessionStand stand =
        new SessionStand(
            TlsNeed.OPTIONAL, new MemoryExports().with("disk", disk), new SessionBounds(4, SIZE));
    stand.receive(Unpooled.wrappedBuffer(input));
    stand.session.end();
    if (disk.openConnections() != 0 || stand.budget.free() != BUDGET) {
      throw new AssertionError(
          "%d devices and %d bytes are not given back"
              .formatted(disk.openConnections(), BUDGET - stand.budget.free()));
    }
  }

  /** A read of 28 bytes has a reply of the whole device. */
  @Override
  public long allowedBytesForEach() {
    return 16 << 10;
  }
}
