package corfu.node;

import corfu.objects.host.HostOptions;
import corfu.protocol.Incarnation;
import corfu.roles.logunit.options.LogUnitOptions;
import corfu.roles.sequencer.SequencerOptions;
import corfu.transport.RequestHandler;
import corfu.world.Disk;
import corfu.world.Loop;
import corfu.world.Offload;

/** What a {@link Server} stands on. Whatever it gives away stays its own to close. */
public interface Machine {

  /** The disk of one of the server's roles; asked for once. */
  Disk disk(String room);

  /** A thread for work that blocks, and reports back on the loop. */
  Offload offload(String name, Loop loop);

  /** How a log unit stores on this machine. */
  default LogUnitOptions unitOptions(LogUnitOptions configured) {
    return configured;
  }

  /** The same on this disk, which may be small. */
  default LogUnitOptions fitted(LogUnitOptions options, Disk disk) {
    return options;
  }

  /** How much a sequencer remembers on this machine. */
  default SequencerOptions sequencerOptions() {
    return SequencerOptions.DEFAULT;
  }

  /** How much a host of views does on this machine. */
  default HostOptions views(HostOptions configured) {
    return configured;
  }

  /** The role in this room could not trust its disk, and has begun another life of it. */
  default void beganAnew(String room) {}

  /**
   * Others remember how far the disk in this room had come: that it has what it had, or that it has
   * been set back and is not used any more in this life of it.
   */
  default void recognised(String room, Incarnation life, boolean hasAll) {}

  /** The way of all requests to the server, with what is to be seen of them. */
  default RequestHandler around(RequestHandler server) {
    return server;
  }
}
