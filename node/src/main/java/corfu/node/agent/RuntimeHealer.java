package corfu.node.agent;

import corfu.protocol.layout.Layout;
import corfu.protocol.message.NodeReply;
import corfu.runtime.Outlook;
import corfu.runtime.Reconfiguration;
import corfu.transport.Transport;
import corfu.world.World;
import java.time.Duration;
import java.util.function.Consumer;

/** Changes a cluster as any client may. */
final class RuntimeHealer implements Healer {

  private static final Duration REQUEST_TIMEOUT = Duration.ofSeconds(2);
  private static final Duration TIMEOUT = Duration.ofSeconds(10);

  private final Reconfiguration reconfiguration;

  RuntimeHealer(World world, Transport transport) {
    this.reconfiguration = new Reconfiguration(world, transport, REQUEST_TIMEOUT, TIMEOUT);
  }

  @Override
  public Layout heal(Layout known, Outlook outlook) {
    return reconfiguration.serve(known);
  }

  @Override
  public void rebuild(Layout known, long segmentStart, Consumer<NodeReply.Rebuild> progress) {}

  @Override
  public Layout finish(Layout known, long segmentStart) {
    return known;
  }
}
