package corfu.roles.logunit.membership;

import corfu.protocol.Epoch;
import corfu.protocol.Incarnation;
import corfu.protocol.layout.Layout;
import corfu.protocol.message.Failure;
import corfu.protocol.message.LogUnitRequest.Seal;
import java.util.Optional;

/**
 * Decides which requests the unit's epochs allow, and whether the layout relies on this unit.
 * Allowed are requests of the installed layout's epoch, unless it is sealed. Seals and installed
 * layouts are not durable here yet; {@link Membership} writes them to the {@link EpochFile}.
 */
public final class Epochs {

  private Incarnation incarnation;
  private long firstLogFile;
  private Epoch sealed;

  /**
   * The highest epoch in which no read is answered. After a restart this is the highest sealed
   * epoch.
   */
  private Epoch closed;

  private Optional<Layout> layout;

  /** The highest sealed epoch on the disk. */
  private Epoch keptSealed;

  private long seals;

  Epochs(EpochFile.Content stored) {
    this.incarnation = stored.incarnation();
    this.firstLogFile = stored.firstLogFile();
    this.sealed = stored.sealed();
    this.closed = stored.sealed();
    this.keptSealed = stored.sealed();
    this.layout = stored.layout();
  }

  public Incarnation incarnation() {
    return incarnation;
  }

  public long firstLogFile() {
    return firstLogFile;
  }

  public Optional<Layout> layout() {
    return layout;
  }

  public Epoch installed() {
    return layout.map(Layout::epoch).orElse(Epoch.NONE);
  }

  /** Records that this content is on the disk now. Earlier contents were written before. */
  void isKept(EpochFile.Content content) {
    keptSealed = content.sealed();
  }

  /** Returns the highest sealed epoch. */
  Epoch sealed() {
    return sealed;
  }

  /** Returns the number of accepted seals since the start. */
  long seals() {
    return seals;
  }

  /**
   * Takes back seals beyond an epoch: no later epoch had been decided when the last seal was
   * accepted.
   */
  void unsealBeyond(Epoch decided) {
    sealed = earlier(sealed, decided);
    closed = earlier(closed, decided);
  }

  public Epoch keptSealed() {
    return keptSealed;
  }

  /** Returns the epoch that refusals name. */
  public Epoch current() {
    return isSealed() ? sealed : installed();
  }

  /** Returns whether the installed layout's epoch is over. */
  public boolean isSealed() {
    return installed().compareTo(sealed) <= 0;
  }

  /** Returns whether the installed layout relies on this unit's content. */
  public boolean isReliedOn() {
    return layout.isPresent() && layout.get().reliesOnUnit(incarnation);
  }

  /** Returns the reason to refuse a request of this epoch, or empty if it is allowed. */
  public Optional<Failure> objection(Epoch epoch) {
    if (layout.isEmpty()) {
      return Optional.of(new Failure.NotBootstrapped());
    }
    if (epoch.isBefore(installed()) || epoch.compareTo(sealed) <= 0) {
      return Optional.of(new Failure.Sealed(current()));
    }
    return epoch.equals(installed())
        ? Optional.empty()
        : Optional.of(new Failure.Behind(current()));
  }

  /**
   * Returns the reason to refuse a request about entries, or empty. Such requests need a unit on
   * which the layout relies.
   */
  public Optional<Failure> objectionToData(Epoch epoch) {
    Optional<Failure> objection = objection(epoch);
    return objection.isPresent() || isReliedOn()
        ? objection
        : Optional.of(new Failure.NotServing(whyNotReliedOn()));
  }

  /**
   * Returns the reason to refuse a read, or empty. A read is also allowed in an epoch that is
   * sealed for all requests but reads.
   */
  public Optional<Failure> objectionToReading(Epoch epoch) {
    return isOpenForReads() && epoch.equals(installed()) && isReliedOn()
        ? Optional.empty()
        : objectionToData(epoch);
  }

  /** Returns whether the epoch is sealed for all requests but reads. */
  public boolean isOpenForReads() {
    return sealed.equals(installed()) && closed.isBefore(installed());
  }

  public String whyNotReliedOn() {
    return layout.isEmpty()
        ? "this log unit (incarnation " + incarnation + ") belongs to no cluster yet"
        : "this log unit (incarnation %s) is not one that epoch %s relies on: it is blank, was"
                .formatted(incarnation, installed())
            + " reset, or is a spare; fetch the newest layout, and ask the units that it names";
  }

  /**
   * Returns whether the layout is newer. A layout of a sealed epoch counts, too: it names the
   * servers that decide the next one.
   */
  boolean isNewer(Layout other) {
    return installed().isBefore(other.epoch());
  }

  void seal(Epoch epoch, Seal.Extent extent) {
    seals++;
    sealed = later(sealed, epoch);
    closed =
        switch (extent) {
          case EVERYTHING -> later(closed, epoch);
          case ALL_BUT_READS -> closed;
        };
  }

  private static Epoch earlier(Epoch one, Epoch other) {
    return one.isBefore(other) ? one : other;
  }

  private static Epoch later(Epoch one, Epoch other) {
    return one.isBefore(other) ? other : one;
  }

  void install(Layout newer) {
    layout = Optional.of(newer);
  }

  void become(Incarnation next, long nextFirstLogFile) {
    incarnation = next;
    firstLogFile = nextFirstLogFile;
  }

  EpochFile.Content content() {
    return new EpochFile.Content(incarnation, firstLogFile, sealed, layout);
  }
}
