package corfu.roles.logunit;

import corfu.protocol.Incarnation;
import corfu.protocol.layout.Layout;
import corfu.protocol.message.LogUnitRequest;
import corfu.protocol.message.Progress;
import corfu.world.Disk;
import java.util.Optional;

/**
 * Whether anybody may rely on the content of a log unit's disk. A disk that was set back to an
 * older image of itself while no process used it looks like one that never had more. Therefore a
 * unit that starts with the files of an earlier process can refuse all requests at first. Layout
 * servers know its former progress, and have to vouch for the disk. If the disk has less than they
 * remember, the unit never serves again in this life of the disk.
 *
 * <p>Lives on the unit's thread.
 */
public final class DiskTrust {

  private static final String DOUBTED =
      "this log unit has just started, and serves nobody until a majority of the layout servers has"
          + " said that its disk is not an older image of itself; try again";

  private final Disk disk;
  private final boolean isNewborn;
  private boolean doubted;
  private String setBack = "";
  private Incarnation lost = Incarnation.NONE; // of the unit before it was set back

  /**
   * @param disk the unit's directory
   * @param isNewborn whether this life of the disk began with this process
   */
  DiskTrust(Disk disk, boolean isNewborn) {
    this.disk = disk;
    this.isNewborn = isNewborn;
  }

  /**
   * Makes the unit refuse all requests until {@link #vouch} is called. Has no effect if the disk
   * was empty when it was opened. To be called before requests arrive.
   */
  public void doubt() {
    doubted = !isNewborn;
  }

  /** Returns whether the unit waits for that. */
  public boolean isDoubted() {
    return doubted;
  }

  /** Ends the doubt: no layout server remembers that the disk has had more. */
  public void vouch() {
    doubted = false;
  }

  /** Does the part of {@link LogUnit#setBack} that is not durable. */
  void setBack(Incarnation life, Progress now, Progress before) {
    doubted = false;
    lost = life;
    setBack =
        "the disk of this log unit (%s) was set back, or has lost what it had acknowledged: it has"
                .formatted(disk.description())
            + " %s, and once had %s; the unit leaves, and is filled again from its replicas"
                .formatted(now, before);
  }

  /** Returns whether the disk was set back. */
  public boolean isSetBack() {
    return !setBack.isEmpty();
  }

  /** Returns whether the layout relies on the incarnation that was lost in this way. */
  boolean isMissedBy(Optional<Layout> layout) {
    return isSetBack() && layout.filter(now -> now.reliesOnUnit(lost)).isPresent();
  }

  /** Returns the reason for people; empty if the disk was not set back. */
  String whySetBack() {
    return setBack;
  }

  /** Resets this state for another life of the disk. */
  void beginAgain() {
    doubted = false;
    setBack = "";
    lost = Incarnation.NONE;
  }

  boolean isWhole() {
    return !doubted && setBack.isEmpty();
  }

  /** Returns the reason to refuse a request, or empty if it may be served. */
  Optional<String> objection(LogUnitRequest request) {
    return isWhole() ? Optional.empty() : objectionOfDoubt(request);
  }

  private Optional<String> objectionOfDoubt(LogUnitRequest request) {
    return switch (request) {
      case LogUnitRequest.Install install -> Optional.empty();
      case LogUnitRequest.Reset reset -> Optional.empty();
      case LogUnitRequest.AskUsage ask -> Optional.empty();
      case LogUnitRequest.AskScrub ask -> Optional.empty();
      case LogUnitRequest.AskCompression ask -> Optional.empty();
      default -> Optional.of(doubted ? DOUBTED : setBack);
    };
  }
}
