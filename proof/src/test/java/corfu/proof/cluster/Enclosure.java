package corfu.proof.cluster;

import java.util.ArrayList;
import java.util.List;

/**
 * Namespaces of network, mounts and processes. The process started in them is root there, whatever
 * its user is outside. When it ends, the namespaces vanish with every process and mount in them.
 */
final class Enclosure {

  /** The directories of {@code ip} are added, because not every user's path has them. */
  private static final String PATH =
      "PATH=" + System.getenv().getOrDefault("PATH", "/usr/bin:/bin") + ":/usr/sbin:/sbin";

  private static final List<String> PLAIN =
      List.of(
          "env",
          PATH,
          "unshare",
          "--net",
          "--mount",
          "--pid",
          "--fork",
          "--kill-child",
          "--mount-proc");

  /** Tries the first steps of a campaign. Its output is shown to people if a step fails. */
  private static final String PROBE =
      "ip link set lo up && unshare --net sleep 5 & sleep 0.1; "
          + "ip link add probe0 type veth peer name probe1 && ip link set probe1 netns $! && "
          + "nsenter --net=/proc/$!/ns/net ip rule add from 10.9.0.1 to 10.9.0.2 blackhole && "
          + "mount -t tmpfs -o size=1m tmpfs /mnt && kill $!";

  private final List<String> prefix;
  private final String obstacle;

  private Enclosure(List<String> prefix, String obstacle) {
    this.prefix = prefix;
    this.obstacle = obstacle;
  }

  /** Returns the enclosure that this machine allows. */
  static Enclosure ofThisMachine() {
    List<String> ofUser = new ArrayList<>(PLAIN);
    ofUser.addAll(3, List.of("--user", "--map-root-user"));
    String obstacle = "";
    for (List<String> prefix : List.of(PLAIN, ofUser)) {
      try {
        List<String> probe = new ArrayList<>(prefix);
        probe.addAll(List.of("sh", "-c", PROBE));
        Commands.run(probe);
        return new Enclosure(prefix, "");
      } catch (Commands.FailedException refused) {
        obstacle = String.valueOf(refused.getMessage());
      }
    }
    return new Enclosure(List.of(), obstacle);
  }

  /** Returns why this machine allows no enclosure, or an empty text if it does. */
  String obstacle() {
    return obstacle;
  }

  /** Returns the command that runs the given one inside. */
  List<String> within(List<String> command) {
    List<String> all = new ArrayList<>(prefix);
    all.addAll(command);
    return all;
  }
}
