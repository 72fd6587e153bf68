package corfu.sim.application;

import corfu.runtime.Corfu;
import corfu.transport.Transport;
import corfu.world.World;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.random.RandomGenerator;

/**
 * The environment of a client in a simulated {@link Application}: of a process, or of one of its
 * threads.
 *
 * @param name the unique name of the thread
 * @param world the world of its process
 * @param chance the only random generator that it may use
 * @param corfu its connection
 * @param transport its transport to the servers of that cluster
 * @param first a connection to the first cluster, if this client is one of the second
 * @param isOver whether the client must begin nothing new
 */
public record ApplicationClient(
    String name,
    World world,
    RandomGenerator chance,
    Corfu corfu,
    Transport transport,
    Optional<Corfu> first,
    BooleanSupplier isOver) {

  /** Returns the seat of another thread of the same process. */
  public ApplicationClient of(String thread, RandomGenerator dice) {
    return new ApplicationClient(thread, world, dice, corfu, transport, first, isOver);
  }
}
