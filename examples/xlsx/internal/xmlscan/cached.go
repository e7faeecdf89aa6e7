package xmlscan

import "bytes"

// nameSlots is the number of names that a scanner remembers. A worksheet has a
// dozen different ones.
const nameSlots = 64

// cached makes the strings with the two fixes of the story: names come from a
// small table, where they are compared byte by byte, and text is decoded straight
// from the scan buffer into the string that is returned.
type cached struct {
	enc   encoding
	slots [nameSlots]struct {
		raw  []byte // in the scan buffer, which does not change
		name string
	}
}

func (c *cached) name(raw []byte) string {
	slot := &c.slots[hash(raw)%nameSlots]
	if !bytes.Equal(slot.raw, raw) {
		slot.raw, slot.name = raw, c.text(raw)
	}
	return slot.name
}

func (c *cached) text(raw []byte) string {
	if c.enc == utf8Bytes {
		return string(raw)
	}
	var buf [64]byte
	return string(c.enc.appendUTF8(buf[:0], raw))
}

// hash is FNV-1a.
func hash(b []byte) uint32 {
	h := uint32(2166136261)
	for _, c := range b {
		h = (h ^ uint32(c)) * 16777619
	}
	return h
}
