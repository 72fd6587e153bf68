package corfu.node;

import corfu.roles.logunit.options.LogUnitOptions;
import corfu.world.Disk;
import corfu.world.Loop;
import corfu.world.Offload;
import corfu.world.RealDisk;
import corfu.world.World;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.Executor;

/** The environment of a server with directories of this machine and threads of this process. */
final class RealMachine implements Machine, AutoCloseable {

  private final ServerConfig server;
  private final World world;
  private final Deque<AutoCloseable> owned = new ArrayDeque<>();
  private volatile boolean abandoned;

  RealMachine(ServerConfig server, World world) {
    this.server = server;
    this.world = world;
  }

  @Override
  public Disk disk(String room) {
    Disk disk = RealDisk.open(server.directory().resolve(room));
    owned.push(disk);
    return disk;
  }

  @Override
  public LogUnitOptions fitted(LogUnitOptions options, Disk disk) {
    return options.fittedTo(disk);
  }

  @Override
  public Offload offload(String name, Loop loop) {
    Loop worker = world.loop("corfu-" + name + "-" + server.name());
    owned.push(worker);
    Executor owner =
        task ->
            loop.execute(
                () -> {
                  if (!abandoned) {
                    task.run();
                  }
                });
    return Offload.to(worker, owner);
  }

  /** Lets running work finish, but reports no results. */
  void abandon() {
    abandoned = true;
  }

  /** Ends the threads, the last opened first, and gives up the directories. */
  @Override
  public void close() {
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
