package corfu.node;

import corfu.roles.Lease;
import corfu.roles.layout.LayoutServer;
import corfu.roles.layout.LeaseTerms;
import corfu.roles.logunit.LogUnit;
import corfu.roles.logunit.LogUnitOptions;
import corfu.roles.logunit.UnitMode;
import corfu.roles.sequencer.Sequencer;
import corfu.world.Disk;
import corfu.world.Loop;
import corfu.world.Offload;
import corfu.world.RealDisk;
import corfu.world.World;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * The roles of one server with their disks and threads, put together as its configuration says. A
 * unit in memory mode keeps nothing, but the layout server beside it does, unless the whole cluster
 * is in memory.
 */
final class Assembly implements AutoCloseable {

  private final Loop loop;
  private final NodeRoles roles;
  private final Deque<AutoCloseable> owned = new ArrayDeque<>();

  /**
   * @param loop where the roles will live
   * @param forgetful whether nothing at all is kept on disk
   * @throws corfu.world.DiskException if a directory cannot be used
   */
  Assembly(ClusterConfig cluster, ServerConfig server, World world, Loop loop, boolean forgetful) {
    this.loop = loop;
    try {
      Optional<Sequencer> sequencer =
          server.has(RoleKind.SEQUENCER)
              ? Optional.of(
                  new Sequencer(cluster.limits(), world.random().nextLong(), Lease.always()))
              : Optional.empty();
      Optional<LayoutServer> layoutServer =
          server.has(RoleKind.LAYOUT_SERVER)
              ? Optional.of(layoutServer(server, world, forgetful))
              : Optional.empty();
      Optional<LogUnit> logUnit =
          server.has(RoleKind.LOG_UNIT)
              ? Optional.of(logUnit(cluster, server, world))
              : Optional.empty();
      this.roles = new NodeRoles(server.name(), sequencer, logUnit, layoutServer);
    } catch (RuntimeException failure) {
      closeOwned();
      throw failure;
    }
  }

  NodeRoles roles() {
    return roles;
  }

  private LayoutServer layoutServer(ServerConfig server, World world, boolean forgetful) {
    return forgetful
        ? LayoutServer.inMemory(LeaseTerms.OFF, world)
        : LayoutServer.open(
            disk(server, "layout"),
            LeaseTerms.OFF,
            world,
            offload(world, "corfu-layout-" + server.name()));
  }

  private LogUnit logUnit(ClusterConfig cluster, ServerConfig server, World world) {
    LogUnitOptions options = cluster.unitOptions();
    return cluster.mode() == UnitMode.MEMORY
        ? LogUnit.inMemory(options, world)
        : LogUnit.open(
            disk(server, "log-unit"),
            options,
            world,
            offload(world, "corfu-sync-" + server.name()),
            offload(world, "corfu-upkeep-" + server.name()));
  }

  private Disk disk(ServerConfig server, String room) {
    Disk disk = RealDisk.open(server.directory().resolve(room));
    owned.push(disk);
    return disk;
  }

  private Offload offload(World world, String name) {
    Loop worker = world.loop(name);
    owned.push(worker);
    return Offload.to(worker, loop);
  }

  /** Closes the roles on their own thread, then what they used. */
  @Override
  public void close() {
    CompletableFuture<Void> closed = new CompletableFuture<>();
    loop.execute(
        () -> {
          try {
            roles.close();
          } finally {
            closed.complete(null);
          }
        });
    closed.join();
    closeOwned();
  }

  private void closeOwned() {
    RuntimeException first = null;
    for (AutoCloseable part : owned) {
      try {
        part.close();
      } catch (Exception e) {
        RuntimeException failure =
            e instanceof RuntimeException runtime
                ? runtime
                : new IllegalStateException("cannot close " + part, e);
        first = first == null ? failure : first;
      }
    }
    owned.clear();
    if (first != null) {
      throw first;
    }
  }
}
