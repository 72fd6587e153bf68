package corfu.cli.disk;

import corfu.disk.IfInUse;
import picocli.CommandLine.Option;

/** The choice for a disk that another server writes. */
final class TakeoverOption {

  @Option(
      names = "--takeover",
      description =
          "Take over a disk that another server writes. From then on, nothing that the other one"
              + " still sends has an effect, even if it was only paused.")
  private boolean takeover;

  IfInUse ifInUse() {
    return takeover ? IfInUse.TAKE_OVER : IfInUse.REFUSE;
  }
}
