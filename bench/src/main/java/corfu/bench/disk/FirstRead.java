package corfu.bench.disk;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/** A small NBD client: it opens an export, and reads its first block. */
final class FirstRead {

  private static final long OPTION_MAGIC = 0x49484156454F5054L;
  private static final int REQUEST_MAGIC = 0x25609513;
  private static final int GO = 7;
  private static final int ACKNOWLEDGED = 1;
  private static final int FIXED_NEWSTYLE = 1;
  private static final int NO_ZEROES = 2;
  private static final int GREETING_BYTES = 18;
  private static final int BLOCK_BYTES = 4096;

  private FirstRead() {}

  /**
   * Reads a block.
   *
   * @throws IOException if the server refuses
   */
  static void of(String export, Path socket) throws IOException {
    try (SocketChannel channel = SocketChannel.open(StandardProtocolFamily.UNIX)) {
      boolean unused = channel.connect(UnixDomainSocketAddress.of(socket));
      var in = new DataInputStream(Channels.newInputStream(channel));
      var out = new DataOutputStream(Channels.newOutputStream(channel));
      in.readFully(new byte[GREETING_BYTES]);
      byte[] name = export.getBytes(StandardCharsets.UTF_8);
      ByteBuffer go = ByteBuffer.allocate(4 + 8 + 4 + 4 + 4 + name.length + 2);
      go.putInt(FIXED_NEWSTYLE | NO_ZEROES).putLong(OPTION_MAGIC).putInt(GO);
      go.putInt(4 + name.length + 2).putInt(name.length).put(name).putShort((short) 0);
      out.write(go.array());
      awaitAcknowledgement(export, in);
      ByteBuffer read = ByteBuffer.allocate(28);
      read.putInt(REQUEST_MAGIC).putShort((short) 0).putShort((short) 0).putLong(1).putLong(0);
      out.write(read.putInt(BLOCK_BYTES).array());
      int unusedMagic = in.readInt();
      int error = in.readInt();
      if (error != 0) {
        throw new IOException(
            "the first block of %s cannot be read: error %d".formatted(export, error));
      }
      in.readFully(new byte[Long.BYTES + BLOCK_BYTES]);
    }
  }

  private static void awaitAcknowledgement(String export, DataInputStream in) throws IOException {
    while (true) {
      long unusedMagic = in.readLong();
      int unusedOption = in.readInt();
      int type = in.readInt();
      byte[] data = new byte[in.readInt()];
      in.readFully(data);
      if (type == ACKNOWLEDGED) {
        return;
      }
      if (type < 0) {
        throw new IOException(
            "the server refuses %s: %s"
                .formatted(export, new String(data, StandardCharsets.UTF_8)));
      }
    }
  }
}
