package corfu.protocol;

/**
 * The proof that the sequencer gave a run of tokens to one client in one epoch (docs/design.md,
 * section 9). The client shows it to log units with the entries at these addresses. Only servers of
 * the cluster can make or check the code.
 *
 * @param keyId the number of the key
 * @param first the first address of the run, 0 or more
 * @param count the number of addresses, 1 or more
 * @param codeHigh the first eight bytes of the message authentication code, as a little-endian
 *     number
 * @param codeLow the last eight bytes of it
 */
public record TokenSeal(long keyId, long first, int count, long codeHigh, long codeLow) {

  public TokenSeal {
    if (first < 0 || count < 1) {
      throw new IllegalArgumentException(
          "a seal of %d tokens from address %d on; a run has 1 token or more, from address 0 on"
              .formatted(count, first));
    }
  }

  /** Returns whether the address is one of the run. */
  public boolean covers(long address) {
    return address >= first && address - first < count;
  }

  /** Returns the run, without the code. */
  @Override
  public String toString() {
    return "seal of tokens %d to %d".formatted(first, first + count - 1);
  }
}
