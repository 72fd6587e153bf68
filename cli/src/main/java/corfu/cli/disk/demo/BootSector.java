package corfu.cli.disk.demo;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.nio.ByteBuffer;
import java.util.HexFormat;

/**
 * The first sector of a disk that a PC boots from: a program of 124 bytes. It counts its starts in
 * the second sector of the same disk, and writes the count to the first serial port.
 *
 * <pre>
 *    0       124     256              320              384      510
 *    +-------+-------+----------------+----------------+--------+-----------+
 *    | code  | 0 ... | text of starts | text of errors | end of | signature |
 *    |       |       |                |                | a line | 55 aa     |
 *    +-------+-------+----------------+----------------+--------+-----------+
 * </pre>
 *
 * <p>The second sector begins with the count, two bytes, little-endian.
 */
final class BootSector {

  /** The bytes of a sector. */
  static final int SIZE = 512;

  /** The place of the count on the disk, in bytes. */
  static final long COUNT_AT = SIZE;

  /** The line that the program writes, before the count in decimal digits. */
  static final String GREETING = "booted from a Corfu disk: boot ";

  /**
   * The program, in the 16-bit code of an 8086. The BIOS loads the sector to 7c00, gives the number
   * of the disk in DL, and jumps to the first byte. Numbers are hexadecimal.
   */
  private static final String CODE =
      """
      31 c0       | 00          xor  ax, ax         all segments begin at 0
      8e d8       | 02          mov  ds, ax
      8e c0       | 04          mov  es, ax
      8e d0       | 06          mov  ss, ax
      bc 00 7c    | 08          mov  sp, 7c00       the stack grows down from this sector
      89 d5       | 0b          mov  bp, dx         the BIOS keeps BP
      b8 01 02    | 0d          mov  ax, 0201       read one sector
      e8 23 00    | 10          call disk
      ff 06 00 80 | 13          inc  word [8000]
      b8 01 03    | 17          mov  ax, 0301       write one sector
      e8 19 00    | 1a          call disk
      be 00 7d    | 1d          mov  si, 7d00       text of starts
      e8 4d 00    | 20          call text
      a1 00 80    | 23          mov  ax, [8000]
      e8 24 00    | 26          call number
      be 80 7d    | 29 end:     mov  si, 7d80       end of a line
      e8 41 00    | 2c          call text
      b0 fe       | 2f          mov  al, fe         the keyboard controller resets the machine,
      e6 64       | 31          out  64, al         and QEMU ends (-no-reboot)
      f4          | 33 halt:    hlt
      eb fd       | 34          jmp  halt
      bb 00 80    | 36 disk:    mov  bx, 8000       function and length in AX; data to or from 8000
      b9 02 00    | 39          mov  cx, 0002       track 0, sector 2 (the first one is 1)
      89 ea       | 3c          mov  dx, bp
      b6 00       | 3e          mov  dh, 0          head 0
      cd 13       | 40          int  13
      72 01       | 42          jc   failed
      c3          | 44          ret
      be 40 7d    | 45 failed:  mov  si, 7d40       text of errors
      e8 25 00    | 48          call text
      eb dc       | 4b          jmp  end
      31 d2       | 4d number:  xor  dx, dx         writes AX as a decimal number
      b9 0a 00    | 4f          mov  cx, 0a
      f7 f1       | 52          div  cx
      52          | 54          push dx
      85 c0       | 55          test ax, ax
      74 03       | 57          jz   last
      e8 f1 ff    | 59          call number         the digits before the last one
      58          | 5c last:    pop  ax
      04 30       | 5d          add  al, 30
      88 c4       | 5f char:    mov  ah, al         writes AL to the serial port at 3f8
      ba fd 03    | 61          mov  dx, 3fd
      ec          | 64 busy:    in   al, dx
      a8 20       | 65          test al, 20
      74 fb       | 67          jz   busy
      ba f8 03    | 69          mov  dx, 3f8
      88 e0       | 6c          mov  al, ah
      ee          | 6e          out  dx, al
      c3          | 6f          ret
      fc          | 70 text:    cld                 writes the text at SI, up to a zero
      ac          | 71 next:    lodsb
      84 c0       | 72          test al, al
      74 05       | 74          jz   done
      e8 e6 ff    | 76          call char
      eb f6       | 79          jmp  next
      c3          | 7b done:    ret
      """;

  private BootSector() {}

  /** Returns the sector. */
  static ByteBuffer bytes() {
    ByteBuffer sector = ByteBuffer.allocate(SIZE);
    HexFormat hex = HexFormat.ofDelimiter(" ");
    CODE.lines()
        .map(line -> line.substring(0, line.indexOf('|')).strip())
        .forEach(code -> sector.put(hex.parseHex(code)));
    sector.put(0x100, GREETING.getBytes(US_ASCII));
    sector.put(0x140, "the BIOS cannot use the disk".getBytes(US_ASCII));
    sector.put(0x180, "\r\n".getBytes(US_ASCII));
    sector.put(0x1fe, (byte) 0x55).put(0x1ff, (byte) 0xaa);
    return sector.rewind();
  }
}
