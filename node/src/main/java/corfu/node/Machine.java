package corfu.node;

import corfu.objects.host.HostOptions;
import corfu.protocol.Incarnation;
import corfu.roles.logunit.options.LogUnitOptions;
import corfu.roles.sequencer.SequencerOptions;
import corfu.transport.RequestHandler;
import corfu.world.Disk;
import corfu.world.Loop;
import corfu.world.Offload;

/** The environment of a {@link Server}. It owns, and closes, everything that it returns. */
public interface Machine {

  /** Returns the disk of one of the server's roles; called once for each. */
  Disk disk(String room);

  /** Returns a thread for work that blocks, which reports back on the loop. */
  Offload offload(String name, Loop loop);

  /** Returns the options of a log unit on this machine. */
  default LogUnitOptions unitOptions(LogUnitOptions configured) {
    return configured;
  }

  /** Returns the options of a log unit on this disk, which may be small. */
  default LogUnitOptions fitted(LogUnitOptions options, Disk disk) {
    return options;
  }

  /** Returns the options of a sequencer on this machine. */
  default SequencerOptions sequencerOptions() {
    return SequencerOptions.DEFAULT;
  }

  /** Returns the options of a view host on this machine. */
  default HostOptions views(HostOptions configured) {
    return configured;
  }

  /** Called when a role could not trust its disk, and has begun another life of it. */
  default void beganAnew(String room) {}

  /**
   * Called when other servers have told the former progress of a disk. The disk has all of it, or
   * it was set back and is not used any more in this life.
   */
  default void recognised(String room, Incarnation life, boolean hasAll) {}

  /** Wraps the handler of all requests to the server, to observe them. */
  default RequestHandler around(RequestHandler server) {
    return server;
  }
}
