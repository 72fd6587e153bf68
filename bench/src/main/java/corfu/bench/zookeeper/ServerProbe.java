package corfu.bench.zookeeper;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

/**
 * Asks a server for a session, or for its state, on a connection of its own. ZooKeeper's own client
 * pauses up to a second between attempts, which is too coarse for a start.
 */
final class ServerProbe {

  /** The pause between attempts. */
  static final Duration PAUSE = Duration.ofMillis(5);

  private static final int TIMEOUT_MILLIS = 10_000;
  private static final int SESSION_MILLIS = 4_000;
  private static final int PASSWORD_BYTES = 16;

  /** The bytes of a request: version, zxid, timeout, session, length of the password, password. */
  private static final int REQUEST_BYTES = 4 + 8 + 4 + 8 + 4 + PASSWORD_BYTES;

  private ServerProbe() {}

  /** Returns whether the server grants a session now. The session expires. */
  static boolean grantsSession(int port) {
    try (Socket socket = connect(port)) {
      var out = new DataOutputStream(socket.getOutputStream());
      out.writeInt(REQUEST_BYTES);
      out.writeInt(0);
      out.writeLong(0);
      out.writeInt(SESSION_MILLIS);
      out.writeLong(0);
      out.writeInt(PASSWORD_BYTES);
      out.write(new byte[PASSWORD_BYTES]);
      out.flush();
      var in = new DataInputStream(socket.getInputStream());
      in.readInt(); // the length
      in.readInt(); // the version
      return in.readInt() > 0; // the timeout of a granted session
    } catch (IOException notYet) {
      return false;
    }
  }

  /** Returns whether this server of Apache ZooKeeper leads its ensemble. */
  static boolean isLeader(int port) throws IOException {
    try (Socket socket = connect(port)) {
      socket.getOutputStream().write("srvr".getBytes(StandardCharsets.US_ASCII));
      socket.getOutputStream().flush();
      return leads(new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII));
    }
  }

  /** Returns whether an answer to {@code srvr} comes from a leader. */
  static boolean leads(String answer) {
    return answer.lines().anyMatch(line -> line.strip().equals("Mode: leader"));
  }

  private static Socket connect(int port) throws IOException {
    var socket = new Socket();
    socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), TIMEOUT_MILLIS);
    socket.setSoTimeout(TIMEOUT_MILLIS);
    return socket;
  }
}
