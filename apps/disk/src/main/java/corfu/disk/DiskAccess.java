package corfu.disk;

/** The way in which a server offers disks. */
public enum DiskAccess {
  /** Clients write; a disk that another server writes is refused. */
  WRITE,
  /** Clients write; a disk that another server writes is taken over. */
  TAKE_OVER,
  /** Clients read the version that was the newest when they connected. */
  READ_ONLY;

  /** Returns the choice for disks that another server writes. */
  public IfInUse ifInUse() {
    return this == TAKE_OVER ? IfInUse.TAKE_OVER : IfInUse.REFUSE;
  }
}
