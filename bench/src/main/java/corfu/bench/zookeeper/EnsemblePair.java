package corfu.bench.zookeeper;

import corfu.bench.zookeeper.ZooKeeperSettings.ComparedSystem;
import corfu.node.local.JavaCommand;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The compared ensembles, ours first. They run at the same time. Not thread-safe. */
final class EnsemblePair implements AutoCloseable {

  private final List<Ensemble> ensembles = new ArrayList<>();

  /** Starts the wanted ensembles of {@link ZooKeeperSettings#SERVERS} servers each. */
  static EnsemblePair start(ZooKeeperSettings settings, JavaCommand java, Poll poll)
      throws IOException, InterruptedException {
    var pair = new EnsemblePair();
    try {
      int servers = ZooKeeperSettings.SERVERS;
      if (settings.has(ComparedSystem.CORFU)) {
        pair.add(CorfuEnsemble.start(java, servers, ZooKeeperSettings.HEAP_MIB, poll));
      }
      if (settings.has(ComparedSystem.ZOOKEEPER)) {
        pair.add(RealEnsemble.start(java, servers, ZooKeeperSettings.HEAP_MIB));
      }
      return pair;
    } catch (IOException | RuntimeException | InterruptedException e) {
      pair.close();
      throw e;
    }
  }

  void add(Ensemble ensemble) {
    ensembles.add(ensemble);
  }

  void addFirst(Ensemble ensemble) {
    ensembles.addFirst(ensemble);
  }

  List<Ensemble> all() {
    return List.copyOf(ensembles);
  }

  /** Returns the ensemble of our translation servers, or nothing if it does not run. */
  Optional<CorfuEnsemble> corfu() {
    return ensembles.stream()
        .filter(CorfuEnsemble.class::isInstance)
        .map(CorfuEnsemble.class::cast)
        .findFirst();
  }

  /** Returns the ensemble of Apache ZooKeeper, or nothing if it does not run. */
  Optional<RealEnsemble> real() {
    return ensembles.stream()
        .filter(RealEnsemble.class::isInstance)
        .map(RealEnsemble.class::cast)
        .findFirst();
  }

  /** Closes the ensembles of this name. */
  void closeAll(String name) {
    ensembles.stream().filter(each -> each.name().equals(name)).forEach(Ensemble::close);
    ensembles.removeIf(each -> each.name().equals(name));
  }

  @Override
  public void close() {
    ensembles.forEach(Ensemble::close);
    ensembles.clear();
  }
}
