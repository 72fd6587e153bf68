package corfu.sim.application;

import corfu.runtime.Corfu;
import corfu.transport.Transport;
import corfu.world.World;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.random.RandomGenerator;

/**
 * Where a client of a simulated {@link Application} stands: a process, or one of its threads.
 *
 * @param name of the thread, which no other one has
 * @param world of its process
 * @param chance the only dice it may throw
 * @param corfu its connection
 * @param transport its way to those servers
 * @param first in the second cluster: a connection to the first one
 * @param isOver whether it shall begin nothing new
 */
public record Seat(
    String name,
    World world,
    RandomGenerator chance,
    Corfu corfu,
    Transport transport,
    Optional<Corfu> first,
    BooleanSupplier isOver) {

  /** Another thread of the same process. */
  public Seat of(String thread, RandomGenerator dice) {
    return new Seat(thread, world, dice, corfu, transport, first, isOver);
  }
}
