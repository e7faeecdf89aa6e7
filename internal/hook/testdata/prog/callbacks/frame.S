// withFrame(depth, p) calls fromC(depth) while the register of the frame
// pointer holds p: C may use it for anything.
#ifdef __x86_64__
	.text
	.globl withFrame
	.type withFrame, @function
withFrame:
	pushq %rbp
	movq %rsi, %rbp
	callq fromC@PLT
	popq %rbp
	ret
	.size withFrame, .-withFrame
	.section .note.GNU-stack, "", @progbits
#endif
