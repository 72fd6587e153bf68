package corfu.runtime.cluster;

import corfu.protocol.message.Reply;
import corfu.protocol.message.ViewRequest;
import corfu.runtime.Corfu;
import corfu.world.Loop;
import corfu.world.World;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** A host of views beside the roles of a server, on their loop. */
public interface RoleNeighbor {

  /** Takes a request; the reply may come later. Called on the server's loop. */
  void handle(ViewRequest request, Consumer<Reply> reply);

  /** Ends it in good order. */
  void close();

  /** Ends it as if its process had been killed. Called on the server's loop. */
  void abandon();

  /** Opens the neighbor of a server that starts. */
  @FunctionalInterface
  interface Opener {

    /**
     * Opens the neighbor.
     *
     * @param server n1, n2, ...
     * @param world the server's own
     * @param loop where requests come
     * @param client connects a client of the cluster
     */
    RoleNeighbor open(String server, World world, Loop loop, Supplier<Corfu> client);
  }
}
