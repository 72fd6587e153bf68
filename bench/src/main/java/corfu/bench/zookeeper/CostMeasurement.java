package corfu.bench.zookeeper;

import corfu.bench.model.ServerCosts;
import corfu.bench.zookeeper.load.EnsembleOrder;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Measures the processor time of each server for a read and for a write. All clients use one
 * server, so that its time and the time of the others differ by the work for its clients.
 */
final class CostMeasurement {

  private static final int PERCENT = 100;

  /** The unmeasured turns before a measured one: a fresh ensemble still compiles. */
  private static final int WARMUPS = 3;

  private static final double WIRE_NANOS = 20_000;

  private final ZooKeeperSettings settings;
  private final EnsembleRounds rounds;
  private final double syncNanos;
  private final double nicByte;

  /**
   * @param syncNanos the time of a sync of one write
   * @param nicByte the time of a byte on a network card, in nanoseconds
   */
  CostMeasurement(
      ZooKeeperSettings settings, EnsembleRounds rounds, double syncNanos, double nicByte) {
    this.settings = settings;
    this.rounds = rounds;
    this.syncNanos = syncNanos;
    this.nicByte = nicByte;
  }

  /**
   * The costs of translation servers and of the log.
   *
   * @param units for each log server, the processor time of a write, in nanoseconds
   */
  record OfTranslation(ServerCosts server, List<Double> units) {
    OfTranslation {
      units = List.copyOf(units);
    }
  }

  /**
   * The costs of Apache ZooKeeper.
   *
   * @param lead the leader's processor time of a write, in nanoseconds
   * @param leadEach the part of each follower in it, in nanoseconds
   */
  record OfZab(ServerCosts follower, double lead, double leadEach) {}

  /** The processor times of an operation, in nanoseconds. */
  private record Used(List<Double> servers, List<Double> storage) {}

  OfTranslation of(CorfuEnsemble ensemble) throws IOException {
    double read = use(ensemble, 0, PERCENT).servers().getFirst();
    Used write = use(ensemble, 0, 0);
    double apply = write.servers().stream().skip(1).mapToDouble(nanos -> nanos).average().orElse(0);
    double handle = Math.max(0, write.servers().getFirst() - apply);
    return new OfTranslation(costs(read, handle, apply), write.storage());
  }

  /**
   * Measures Apache ZooKeeper.
   *
   * @param larger another ensemble with more servers, for the leader's cost of a follower
   */
  OfZab of(RealEnsemble ensemble, RealEnsemble larger) throws IOException {
    int leader = ensemble.leader();
    int follower = (leader + 1) % ensemble.servers().size();
    int idle = (leader + 2) % ensemble.servers().size();
    double read = use(ensemble, follower, PERCENT).servers().get(follower);
    Used write = use(ensemble, follower, 0);
    double apply = write.servers().get(idle);
    double handle = Math.max(0, write.servers().get(follower) - apply);
    double lead = write.servers().get(leader);
    int followers = ensemble.servers().size() - 1;
    int moreFollowers = larger.servers().size() - 1 - followers;
    int largerLeader = larger.leader();
    int largerFollower = (largerLeader + 1) % larger.servers().size();
    double largerLead = use(larger, largerFollower, 0).servers().get(largerLeader);
    double leadEach = Math.clamp((largerLead - lead) / moreFollowers, 0, lead / followers);
    return new OfZab(
        costs(read, handle, apply), Math.max(0, lead - followers * leadEach), leadEach);
  }

  private ServerCosts costs(double read, double handle, double apply) {
    return new ServerCosts(read, handle, apply, syncNanos, nicByte, WIRE_NANOS);
  }

  private Used use(Ensemble ensemble, int server, int readPercent) throws IOException {
    for (int i = 0; i < WARMUPS; i++) {
      var _ = rounds.once(order(ensemble, server, readPercent));
    }
    List<Duration> serversBefore = cpu(ensemble);
    List<Duration> storageBefore = ensemble.storageCpu();
    long operations = rounds.once(order(ensemble, server, readPercent)).operations();
    return new Used(
        each(serversBefore, cpu(ensemble), operations),
        each(storageBefore, ensemble.storageCpu(), operations));
  }

  private EnsembleOrder order(Ensemble ensemble, int server, int readPercent) {
    return new EnsembleOrder.Mix(
        ensemble.name(),
        settings.clients(),
        settings.depth(),
        readPercent,
        settings.bytes(),
        server,
        settings.round());
  }

  private static List<Duration> cpu(Ensemble ensemble) {
    return ensemble.servers().stream().map(EnsembleServer::cpu).toList();
  }

  private static List<Double> each(List<Duration> before, List<Duration> after, long operations) {
    List<Double> nanos = new ArrayList<>();
    for (int i = 0; i < before.size(); i++) {
      nanos.add((double) after.get(i).minus(before.get(i)).toNanos() / operations);
    }
    return nanos;
  }
}
