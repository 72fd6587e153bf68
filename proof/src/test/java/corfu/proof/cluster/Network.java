package corfu.proof.cluster;

import corfu.world.World;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * The network of machines, each a network namespace, around a router.
 *
 * <pre>
 *   clients 10.99.0.2 --- 10.99.0.1 +--------+ 10.99.2.1 --- 10.99.2.2 n2
 *                                   | router |
 *        n1 10.99.1.2 --- 10.99.1.1 +--------+ 10.99.3.1 --- 10.99.3.2 n3 ...
 * </pre>
 *
 * The router silently drops packets on a cut path, as a broken switch would, by a rule for each
 * direction. Not thread-safe.
 */
final class Network {

  /** The number of the clients' machine, which is this process. */
  static final int CLIENTS = 0;

  private static final Duration SOON = Duration.ofMillis(20);
  private static final int TRIES = 250;

  private final World world;
  private final Process router;
  private final List<Process> machines = new ArrayList<>();
  private final List<String> cuts = new ArrayList<>();

  /**
   * Makes this process's namespace the clients' machine, and adds a machine for each server.
   *
   * @param servers the number of servers, 1 or more; they are numbered from 1
   */
  Network(World world, int servers) {
    this.world = world;
    Commands.run("ip link set lo up");
    this.router = namespace();
    within(router, "sh", "-c", "echo 1 > /proc/sys/net/ipv4/ip_forward");
    connect(CLIENTS, ProcessHandle.current().pid());
    for (int i = 1; i <= servers; i++) {
      Process machine = namespace();
      machines.add(machine);
      within(machine, "ip", "link", "set", "lo", "up");
      connect(i, machine.pid());
    }
  }

  /** Makes a namespace, which lives as long as the returned process. */
  private Process namespace() {
    try {
      Process holder =
          new ProcessBuilder("unshare", "--net", "sleep", "infinity")
              .redirectError(ProcessBuilder.Redirect.INHERIT)
              .start();
      String ours = Commands.run("readlink /proc/self/ns/net");
      for (int i = 0; i < TRIES; i++) {
        if (!Commands.run("readlink /proc/" + holder.pid() + "/ns/net").equals(ours)) {
          return holder;
        }
        world.pause(SOON);
      }
      throw new Commands.FailedException("no network namespace could be made");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void connect(int number, long pid) {
    String there = "--net=/proc/" + pid + "/ns/net";
    String cable = "m" + number;
    Commands.run("ip link add r" + number + " type veth peer name " + cable);
    Commands.run("ip link set r" + number + " netns " + router.pid());
    if (pid != ProcessHandle.current().pid()) {
      Commands.run("ip link set " + cable + " netns " + pid);
    }
    Commands.run("nsenter " + there + " ip addr add " + address(number) + "/30 dev " + cable);
    Commands.run("nsenter " + there + " ip link set " + cable + " up");
    within(router, "ip", "addr", "add", "10.99." + number + ".1/30", "dev", "r" + number);
    within(router, "ip", "link", "set", "r" + number, "up");
    Commands.run("nsenter " + there + " ip route add default via 10.99." + number + ".1");
  }

  private static void within(Process machine, String... command) {
    List<String> all =
        new ArrayList<>(List.of("nsenter", "--net=/proc/" + machine.pid() + "/ns/net"));
    all.addAll(List.of(command));
    Commands.run(all);
  }

  static String address(int machine) {
    return "10.99." + machine + ".2";
  }

  /** Returns the prefix that makes a command run on a machine. */
  List<String> on(int machine) {
    return List.of("nsenter", "--net=/proc/" + machines.get(machine - 1).pid() + "/ns/net");
  }

  /** Drops all packets from one machine to another, from now on. */
  void cut(int from, int to) {
    String rule = "from " + address(from) + " to " + address(to) + " blackhole";
    within(router, ("ip rule add " + rule).split(" "));
    cuts.add(rule);
  }

  /** Reconnects all machines. */
  void heal() {
    cuts.forEach(rule -> within(router, ("ip rule del " + rule).split(" ")));
    cuts.clear();
  }
}
