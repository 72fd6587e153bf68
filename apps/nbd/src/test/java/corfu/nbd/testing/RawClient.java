package corfu.nbd.testing;

import corfu.nbd.NbdAddress;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;

/** A connection to a server, on which a test sends whatever it likes. Blocking. */
public final class RawClient implements AutoCloseable {

  private static final int GREETING_BYTES = 18;

  private final SocketChannel channel;
  private final DataInputStream in;
  private final OutputStream out;

  private RawClient(SocketChannel channel) {
    this.channel = channel;
    this.in = new DataInputStream(Channels.newInputStream(channel));
    this.out = Channels.newOutputStream(channel);
  }

  /** Connects, and does not read the greeting. */
  public static RawClient connect(NbdAddress address) throws IOException {
    return switch (address) {
      case NbdAddress.Tcp tcp ->
          new RawClient(SocketChannel.open(new InetSocketAddress(tcp.host(), tcp.port())));
      case NbdAddress.UnixSocket unix -> {
        SocketChannel channel = SocketChannel.open(StandardProtocolFamily.UNIX);
        channel.connect(UnixDomainSocketAddress.of(unix.path()));
        yield new RawClient(channel);
      }
    };
  }

  /** Connects, and opens an export for requests with simple replies. */
  public static RawClient begin(NbdAddress address, String export) throws IOException {
    RawClient client = connect(address);
    client.in.skipNBytes(GREETING_BYTES);
    client.send(ClientBytes.begin(export));
    int type;
    do {
      client.in.skipNBytes(12);
      type = client.in.readInt();
      client.in.skipNBytes(client.in.readInt());
    } while (type == 3);
    if (type != 1) {
      throw new IOException("GO has got the reply 0x%x".formatted(type));
    }
    return client;
  }

  /** Sends bytes. */
  public void send(ByteBuf bytes) throws IOException {
    out.write(ByteBufUtil.getBytes(bytes));
    out.flush();
  }

  /** Reads a simple reply's header, and returns its error. */
  public int readSimple(long cookie) throws IOException {
    in.skipNBytes(4);
    int error = in.readInt();
    long found = in.readLong();
    if (found != cookie) {
      throw new IOException("a reply to " + found + " instead of " + cookie);
    }
    return error;
  }

  /** Reads so many bytes. */
  public byte[] read(int length) throws IOException {
    byte[] bytes = new byte[length];
    in.readFully(bytes);
    return bytes;
  }

  /** Reads until the server has closed the connection, and returns the number of bytes. */
  public long drain() {
    try {
      return in.transferTo(OutputStream.nullOutputStream());
    } catch (IOException reset) {
      return 0; // closed, too
    }
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }
}
