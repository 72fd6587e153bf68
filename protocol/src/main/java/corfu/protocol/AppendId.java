package corfu.protocol;

/**
 * Tells one append from every other, so that a writer who meets its own entry, rolled forward by
 * somebody else, knows it (docs/design.md, section 4).
 *
 * @param client a random number that the appending client drew when it started
 * @param sequence the client's count of appends
 */
public record AppendId(long client, long sequence) {

  @Override
  public String toString() {
    return Long.toHexString(client) + "#" + sequence;
  }
}
