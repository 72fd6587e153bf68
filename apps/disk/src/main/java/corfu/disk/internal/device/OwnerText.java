package corfu.disk.internal.device;

import static java.nio.charset.StandardCharsets.UTF_8;

import corfu.bytes.Owner;
import corfu.nbd.BlockDeviceException;
import corfu.nbd.BlockDeviceException.Reason;
import corfu.world.ProcessIdentity;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.util.Optional;

/**
 * The server of a disk, as the log keeps it.
 *
 * @param host the name of its machine, for people
 * @param process the server's process
 */
public record OwnerText(String host, ProcessIdentity process) {

  private static final int MOST_HOST_BYTES = 100;

  /** Returns this process. */
  public static OwnerText here() {
    return new OwnerText(hostName(), ProcessIdentity.current());
  }

  private static String hostName() {
    try {
      return InetAddress.getLocalHost().getHostName();
    } catch (UnknownHostException nameless) {
      return InetAddress.getLoopbackAddress().getHostAddress();
    }
  }

  /** Returns the owner as bytes: at most 255. */
  public ByteBuffer encode() {
    String name = host.length() > MOST_HOST_BYTES ? host.substring(0, MOST_HOST_BYTES) : host;
    String text =
        String.join(
            "\n",
            name.replace('\n', ' '),
            Long.toString(process.number()),
            Long.toString(process.startTicks()),
            process.machine());
    return UTF_8.encode(text);
  }

  /** Returns the owner that these bytes tell, or empty if another program has written them. */
  public static Optional<OwnerText> decode(ByteBuffer bytes) {
    String[] parts = UTF_8.decode(bytes.duplicate()).toString().split("\n", -1);
    if (parts.length != 4) {
      return Optional.empty();
    }
    try {
      var process =
          new ProcessIdentity(parts[3], Long.parseLong(parts[1]), Long.parseLong(parts[2]));
      return Optional.of(new OwnerText(parts[0], process));
    } catch (NumberFormatException foreign) {
      return Optional.empty();
    }
  }

  /** Returns the owner for people. */
  public static String describe(ByteBuffer bytes) {
    return decode(bytes).map(OwnerText::toString).orElse("an unknown process");
  }

  /** Returns the failure of requests to a disk that another server has taken over. */
  static BlockDeviceException fenced(String disk, Owner by) {
    return new BlockDeviceException(
        Reason.FENCED,
        "another server has taken over disk %s: %s; connect to it, or take the disk back"
            .formatted(disk, describe(by.owner())));
  }

  @Override
  public String toString() {
    return "process %d on %s".formatted(process.number(), host);
  }
}
