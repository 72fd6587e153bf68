package corfu.objects.host;

import corfu.protocol.message.Reply;
import corfu.protocol.message.ViewRequest;
import corfu.runtime.Corfu;
import corfu.runtime.cluster.HurriedWorld;
import corfu.runtime.cluster.RoleNeighbor;
import corfu.world.Loop;
import corfu.world.World;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** Hosts of views beside the roles of all servers of a cluster. */
public final class HostNeighbors implements RoleNeighbor.Opener {

  private final HostOptions options;
  private final Map<String, ViewHost> running = new ConcurrentHashMap<>();
  private final List<HurriedWorld> worlds = new CopyOnWriteArrayList<>();

  public HostNeighbors(HostOptions options) {
    this.options = options;
  }

  /** Returns what a server's host holds, or nothing if the server does not run. */
  public Optional<ViewHost.Standing> standing(String server) {
    return Optional.ofNullable(running.get(server)).map(ViewHost::standing);
  }

  /** All at once so much time has passed for the hosts. */
  public void pass(Duration time) {
    worlds.forEach(world -> world.pass(time));
  }

  @Override
  public RoleNeighbor open(String server, World world, Loop loop, Supplier<Corfu> client) {
    HurriedWorld hurried = new HurriedWorld(world);
    worlds.add(hurried);
    ViewHost host = new ViewHost(hurried, loop, client, options);
    running.put(server, host);
    return new RoleNeighbor() {
      @Override
      public void handle(ViewRequest request, Consumer<Reply> reply) {
        host.handle(request, reply);
      }

      @Override
      public void close() {
        running.remove(server);
        host.close();
      }

      @Override
      public void abandon() {
        running.remove(server);
        host.abandon();
      }
    };
  }
}
